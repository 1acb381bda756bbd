import { expect, test } from "vitest";
import { fieldTypeIds } from "../../../../contract/field-types.ts";
import { design as german } from "../../../texts/de/design.ts";
import { inside as insideGerman } from "../../../texts/de/inside.ts";
import { design } from "../../../texts/en/design.ts";
import { inside } from "../../../texts/en/inside.ts";
import { findTypes } from "./find-types.ts";

const first = (text: string) =>
  findTypes(text, fieldTypeIds, (id) => ({
    name: inside.field_types[id],
    words: design.type_words[id],
    lead: design.types[id],
  }))[0];

test.each([
  ["short text", "short-text"],
  ["text", "short-text"],
  ["Single line", "short-text"],
  ["paragraph", "long-text"],
  ["notes", "long-text"],
  ["number", "integer"],
  ["dropdown", "choice"],
  ["drop-down", "choice"],
  ["select", "choice"],
  ["multi select", "multiple-choice"],
  ["tags", "multiple-choice"],
  ["checkbox", "flag"],
  ["yes/no", "flag"],
  ["boolean", "flag"],
  ["money", "money"],
  ["currency", "money"],
  ["price", "money"],
  ["person", "reference"],
  ["user", "reference"],
  ["link to record", "reference"],
  ["link", "reference"],
  ["website", "url"],
  ["attachment", "file"],
  ["document", "file"],
  ["auto number", "auto-number"],
  ["autonumber", "auto-number"],
  ["map", "geo-point"],
  ["date", "date"],
  ["time", "date-time"],
])("%s means %s first", (text, type) => {
  expect(first(text)).toBe(type);
});

test("every type that is called so is offered, accents make no difference, and nonsense finds nothing", () => {
  const find = (text: string) =>
    findTypes(text, fieldTypeIds, (id) => ({
      name: insideGerman.field_types[id],
      words: german.type_words[id],
      lead: german.types[id],
    }));
  expect(find("wahrung")[0]).toBe("money");
  expect(find("anhang")).toEqual(["file"]);
  expect(find("qqq")).toEqual([]);
  expect(find("")).toEqual(fieldTypeIds);
});
