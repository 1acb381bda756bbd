// A stored value of a form's field, as people read it.
import { useTranslation } from "react-i18next";
import type { FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { fieldTypes } from "../../../fields/index.ts";
import classes from "../record.module.css";

interface StoredValueProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly value: WireValue;
  readonly text?: string | undefined | null;
}

export function StoredValue({ element, record, value, text }: StoredValueProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const hasParts = typeof value === "object" && value !== null;
  const plain = hasParts ? Object.values(value).filter(Boolean).join(", ") : value;
  if (!plain || element.type === undefined) {
    return (
      <span className={classes.nothing}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t("values.none")}</span>
      </span>
    );
  }
  const { Stored } = fieldTypes[element.type];
  if (Stored) return <Stored {...{ element, record, value, plain }} />;
  const href = element.controller ? `/${element.controller}/view?id=${encodeURIComponent(plain)}` : undefined;
  const options = element.options?.map(({ value, text: label, color }) => ({
    value,
    label,
    ...(color ? { color } : {}),
  }));
  return fieldValue(
    { type: element.type, options, settings: element.settings, scale: element.scale },
    { value: plain, text, href },
    formats,
    {
      yes: t("values.yes"),
      no: t("values.no"),
    },
  );
}
