import { expect, test } from "vitest";
import * as arDesign from "./ar/design.ts";
import { ground as arGround } from "./ar/ground.ts";
import * as arImports from "./ar/imports.ts";
import { ar } from "./ar/inside.ts";
import * as arPeople from "./ar/people.ts";
import * as arTable from "./ar/table.ts";
import * as enDesign from "./en/design.ts";
import { ground as enGround } from "./en/ground.ts";
import * as enImports from "./en/imports.ts";
import { en } from "./en/inside.ts";
import * as enPeople from "./en/people.ts";
import * as enTable from "./en/table.ts";

/** Dotted names, with the plural forms of one text as one name. */
function names(texts: object, prefix = ""): Set<string> {
  return new Set(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "object"
        ? [...names(value, `${prefix}${key}.`)]
        : [prefix + key.replace(/_(zero|one|two|few|many|other)$/, "")],
    ),
  );
}

test("every text is in every language", () => {
  expect([...names(ar)].sort()).toEqual([...names(en)].sort());
  expect([...names(arGround)].sort()).toEqual([...names(enGround)].sort());
  expect([...names(arTable)].sort()).toEqual([...names(enTable)].sort());
  expect([...names(arPeople)].sort()).toEqual([...names(enPeople)].sort());
  expect([...names(arImports)].sort()).toEqual([...names(enImports)].sort());
  expect([...names(arDesign)].sort()).toEqual([...names(enDesign)].sort());
});
