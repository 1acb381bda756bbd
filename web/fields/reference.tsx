// A record of another type, by what it is called.
import { IconLink } from "@tabler/icons-react";
import type { StartFormula } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { link, withFace } from "./showing/link.tsx";

/** Who signs in has a face wherever they are named. */
const PEOPLE = "/access_controls/users/";

/** What a new record can start with that is worked out, by the type of what it refers to. */
const startsOf: ReadonlyMap<string, readonly StartFormula[]> = new Map([
  ["access_controls/users", ["me()"]],
  ["access_controls/groups", ["group()"]],
  ["masters/currencies", ["currency()"]],
]);

export const reference: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).ReferenceInput),
  isOneGesture: true,
  read: (text) => ({ name: text }),
  show: ({ value, text, href }, _field, { tabIndex }) => {
    if (href === undefined) return text ?? value;
    const shown = link(href, text ?? value, { tabIndex });
    return href.startsWith(PEOPLE) ? withFace(text ?? value, shown) : shown;
  },
  width: 176,
  isReference: true,
  FilterValues: fieldPart(async () => (await import("./parts.ts")).FilterValueRecords),
  chart: { rank: 2, inOrder: false },
  design: {
    icon: IconLink,
    settings: [{ name: "to", kind: "record-type", required: true }],
    startsWith: true,
    formulas: ({ to }) => (typeof to === "string" ? (startsOf.get(to) ?? []) : []),
  },
};
