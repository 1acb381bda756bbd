// One line of text. One that names a record type is chosen, and shown by what that is called.
import { IconLetterT } from "@tabler/icons-react";
import { length, pattern } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { namesTypes } from "./showing/names-types.ts";

const TypeNames = fieldPart(async () => (await import("./showing/type-names.tsx")).TypeNames);

export const shortText: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).ShortTextInput),
  Stored: fieldPart(async () => (await import("./parts.ts")).StoredName),
  show: ({ value, text }, { settings }) => (namesTypes(settings?.names) ? <TypeNames keys={value} /> : (text ?? value)),
  read: readAsIs,
  width: 176,
  isText: true,
  chart: { rank: 2, inOrder: false },
  design: { icon: IconLetterT, settings: [length(255, 1_000), ...pattern], startsWith: true, searched: true },
};
