// A telephone number, to call.
import { IconPhone } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { link } from "./showing/link.tsx";

export const phone: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).PhoneInput),
  read: readAsIs,
  show: ({ value }, _field, { tabIndex }) => link(`tel:${value.replace(/[^\d+]/g, "")}`, value, { tabIndex }),
  width: 156,
  isPhoneNumber: true,
  design: { icon: IconPhone, searched: true },
};
