// The words that the benchmark's leads are made of: few common ones, many rare ones, always the same.

const firstNames =
  "Maria James Anna Robert Sofia Michael Laura David Emma Thomas Julia Daniel Sara Peter Nina Paul Clara Mark Elena Simon Ines Lucas Hannah Martin Olga Felix Aisha Omar Mei Hiro Priya Arjun Fatima Yusuf Ingrid Lars Chloe Hugo Zoe Leon Marta Ivan Petra Jonas Alma Victor Ida Oscar Vera Emil Ruth Noah Lena Adam Eva Max Nora Karl Rita Otto Amelia Bruno Carla Dario Edith Fabian Greta Henrik Irene Joel Katja Liam Mona Nils Olivia Pablo Quentin Rosa Stefan Tilda Ursula Viktor Wanda Xenia Yara Zeno Agnes Boris Celia Dmitri Elsa Franz Gloria Harald Isabel Jan Kira Ludwig Mira Nadia".split(
    " ",
  );

const starts =
  "Alder Ash Bann Beck Bell Berg Birk Black Bram Brook Carr Clay Cole Crane Dal Dun East Elm Fair Falk Fern Finch Frost Gale Glen Gran Hale Hart Haw Heath Hol Hurst Kel Kirk Lang Lark Lind Lock Mar Mead Mill Moor Nor Oak Pell Pike Ram Reed Rose Sand Sel Stan Stone Sum Thorn Vale Wal Wick Wind Yard".split(
    " ",
  );
const ends =
  "berg by cott croft dale den dorf er feld field ford gate grove ham hart holm ing ington kamp land ley ling man mann mark more ridge rick sen shaw son stead stein stone strom sworth ton tree vale well wick wood worth".split(
    " ",
  );
const lastNames = starts.flatMap((start) => ends.map((end) => start + end));

const companyWords =
  "Copper River Amber Maple Granite Harbor Silver Meadow Ember Willow Falcon Cedar Ivory Saffron Summit Atlas Beacon Crystal Delta Echo Forge Garnet Horizon Indigo Jasper Keystone Lumen Mosaic Nimbus Onyx Pinnacle Quartz Raven Sierra Titan Umbra Vertex Walnut Zenith Anchor".split(
    " ",
  );
const companyKinds = "Ltd GmbH Inc Group Partners Systems Logistics Foods Energy Works".split(" ");

const cityEnds = "bridge burg bury castle dale fell haven hill mouth pool port ville".split(" ");
const cities = starts.slice(0, 30).flatMap((start) => cityEnds.map((end) => start + end));

const jobs = "Manager Director Engineer Buyer Analyst Consultant Officer Owner Planner Architect".split(" ");
const areas = "Sales Purchasing Quality Operations Finance Marketing Logistics Research".split(" ");

const filler =
  "asked about delivery times and wants an offer for the second quarter after a call with our partner who knows the plant and its people well they compare three vendors budget is approved decision in spring follow up with a sample contract and references from the same industry".split(
    " ",
  );

export const vocabulary = {
  firstNames,
  /** The most common first, as everything here. */
  lastNames,
  companyWords,
  companyKinds,
  cities,
  jobs,
  areas,
  filler,
} as const;

export const statuses = ["new", "contacted", "qualified", "converted", "unqualified"] as const;
export type Status = (typeof statuses)[number];
