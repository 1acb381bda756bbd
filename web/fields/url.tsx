// A web address, without what every one begins with.
import { IconWorldWww } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { link } from "./showing/link.tsx";

export const url: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).UrlInput),
  read: readAsIs,
  show: ({ value }, _field, { tabIndex }) =>
    /^https?:\/\//i.test(value)
      ? link(value, value.replace(/^https?:\/\/(www\.)?|\/$/gi, ""), { tabIndex, outside: true })
      : value,
  width: 200,
  design: { icon: IconWorldWww },
};
