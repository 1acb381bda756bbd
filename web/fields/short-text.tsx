// One line of text. One that names a record type is chosen, and shown by what that is called.
import { IconLetterT } from "@tabler/icons-react";
import { useTypeLabel } from "../parts/use-type-label.ts";
import { length } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType, StoredProps } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";

function Stored({ element, plain }: StoredProps) {
  const typeLabel = useTypeLabel();
  return <>{element.names === "record-type" ? typeLabel(plain) : plain}</>;
}

export const shortText: FieldType = {
  Input: fieldPart(async () => (await import("./inputs/text-inputs.tsx")).ShortTextInput),
  Stored,
  read: readAsIs,
  width: 176,
  isText: true,
  chart: { rank: 2, inOrder: false },
  design: { icon: IconLetterT, settings: [length(255, 1_000)], startsWith: true, searched: true },
};
