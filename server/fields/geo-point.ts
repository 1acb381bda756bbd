// A place on earth, sent as `latitude,longitude` in degrees (WGS 84) with six decimals, which is a tenth of a metre.
// Further decimals are dropped.

import { z } from "zod";
import { fault } from "../../contract/messages.ts";
import { exactDecimal, plainNumber } from "./columns/exact-decimal.ts";
import { numericColumn } from "./columns/numeric-column.ts";
import { equalityOperators } from "./columns/operator-sets.ts";
import { sentParts } from "./columns/sent-parts.ts";
import { hasDigit } from "./columns/word-search.ts";
import { accept, type FieldType, isEmpty, nothing, refuse, scalarText } from "./field-type.ts";

const settings = z.strictObject({});

const precision = 9;
const scale = 6;
const expectation = fault("bad_place");

function degrees(input: unknown, limit: number): string | undefined {
  const text = scalarText(input)?.trim() ?? "";
  // So close to the equator, programs print a float with an exponent.
  const plain = plainNumber(text, 400) ?? text;
  const exact = exactDecimal(plain.replace(/(\.\d{6})\d+$/u, "$1"), precision, scale);
  return "text" in exact && Math.abs(Number(exact.text)) <= limit ? exact.text : undefined;
}

function twoParts(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return input.split(",", 3);
  const sent = sentParts(input, ["lat", "lon"], expectation);
  return "parts" in sent ? [sent.parts.lat, sent.parts.lon] : undefined;
}

export const geoPoint: FieldType<z.output<typeof settings>> = {
  id: "geo-point",
  label: "Place on the map",
  input: { template: "map", method: "point" },
  rules: () => [{ rule: "place", params: [], message: expectation }],
  findWord: (word) => (hasDigit(word) ? { by: "text" } : undefined),
  dataType: "VAR_STRING",
  settings,
  sortable: false,
  searchable: false,
  operators: equalityOperators,
  columns: (field) => [
    numericColumn(field.name, precision, scale),
    numericColumn(`${field.name}_lon`, precision, scale),
  ],
  parse(input) {
    if (isEmpty(input)) return nothing(2);
    const sent = twoParts(input);
    if (sent?.every((part) => isEmpty(part))) return nothing(2);
    if (sent?.length !== 2) return refuse(expectation);
    const latitude = degrees(sent[0], 90);
    if (latitude === undefined) return refuse(fault("bad_latitude"));
    const longitude = degrees(sent[1], 180);
    if (longitude === undefined) return refuse(fault("bad_longitude"));
    return accept(latitude, longitude);
  },
  select: (field, at) => `${at(field.name)}::text || ',' || ${at(`${field.name}_lon`)}::text`,
  present: ([latitude, longitude]) => (latitude == null || longitude == null ? null : `${latitude},${longitude}`),
  examples: {
    settings: {},
    good: [
      { sent: "52.520008,13.404954", wire: "52.520008,13.404954" },
      { sent: " -33.8688 , 151.2093 ", wire: "-33.868800,151.209300" },
      { sent: { lat: 51.4778765432, lon: -5e-7 }, wire: "51.477876,0.000000" },
      { sent: "1.5e1,5e-7", wire: "15.000000,0.000000" },
      { sent: { lat: "90", lon: "-180" }, wire: "90.000000,-180.000000" },
      { sent: "-0.0000001,0", wire: "0.000000,0.000000" },
      { sent: { lat: "", lon: null }, wire: null },
    ],
    bad: [
      "90.000001,0",
      "0,180.000001",
      "1",
      "1,2,3",
      "1;2",
      "1e2,2",
      "north,south",
      { lat: 1 },
      { lat: 1, lng: 2 },
      { lat: NaN, lon: 0 },
      [1, 2],
      5,
    ],
  },
};
