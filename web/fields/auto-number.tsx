// A running number, which the service gives.
import { IconHash } from "@tabler/icons-react";
import type { FieldType } from "./field-type.ts";
import { readNothing } from "./reading/reading.ts";

export const autoNumber: FieldType = {
  isForPages: true,
  read: readNothing,
  width: 112,
  design: {
    icon: IconHash,
    settings: [
      { name: "prefix", kind: "word" },
      { name: "reset", kind: "one-of", choices: ["never", "year", "month"] },
      { name: "digits", kind: "count", least: 1, most: 18, usual: 6 },
    ],
    filledIn: true,
  },
};
