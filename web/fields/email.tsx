// An address to send mail to.
import { IconAt } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { link } from "./showing/link.tsx";

export const email: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).EmailInput),
  read: readAsIs,
  show: ({ value }, _field, { tabIndex }) => link(`mailto:${value}`, value, { tabIndex }),
  width: 232,
  isMailAddress: true,
  design: { icon: IconAt, searched: true },
};
