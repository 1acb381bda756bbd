// Yes or no. A box that nobody ticked says no.
import { IconCheck, IconCheckbox } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { readYesNo } from "../../contract/texts/yes-no.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType, StoredProps } from "./field-type.ts";
import type { Reading } from "./reading/reading.ts";
import type { ShownValue, ValueWords } from "./showing/shown-value.ts";
import classes from "./showing/values.module.css";

function read(text: string): Reading {
  const value = readYesNo(text);
  return value === undefined ? { why: "yes_no" } : { value };
}

const wordOf = ({ value }: ShownValue, { yes, no }: ValueWords): string => (value === "1" ? yes : no);

const Check = ({ label }: { readonly label: string }) => (
  <IconCheck size={16} stroke={2} className={classes.check} role="img" aria-label={label} />
);

function Stored({ plain }: StoredProps) {
  const { t } = useTranslation();
  return t(plain === "1" ? "values.yes" : "values.no");
}

export const flag: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).FlagInput),
  isOneGesture: true,
  isYesNo: true,
  untouched: "0",
  read,
  copy: (shown, _field, words) => wordOf(shown, words),
  text: (shown, _field, { words }) => wordOf(shown, words),
  show: ({ value }, _field, { words }) =>
    value === "1" ? <Check label={words.yes} /> : <span className="visually-hidden">{words.no}</span>,
  Stored,
  width: 104,
  FilterInput: fieldPart(async () => (await import("./parts.ts")).FlagFilter),
  filterText: (value, { words }) => wordOf({ value }, words),
  chart: { rank: 2, inOrder: false },
  design: { icon: IconCheckbox, startsWith: true },
};
