// A stored value of a form's field, as people read it.
import { useTranslation } from "react-i18next";
import type { FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { AddressText } from "../../../fields/address-parts.tsx";
import { fieldValue } from "../../../fields/field-value.tsx";
import { FileValue } from "../../../fields/files/file-value.tsx";
import { useFormats } from "../../../fields/formats.ts";
import { DocumentValue } from "../../../fields/json-field.tsx";
import { useOwnCurrency } from "../../../fields/use-own-currency.ts";
import { useTypeLabel } from "../../../parts/use-type-label.ts";
import classes from "../record.module.css";

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

interface StoredValueProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly value: WireValue;
  readonly text?: string | undefined | null;
}

export function StoredValue({ element, record, value, text }: StoredValueProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const typeLabel = useTypeLabel();
  const own = useOwnCurrency(element.type === "money");
  const hasParts = typeof value === "object" && value !== null;
  if (hasParts && element.template === "address") return <AddressText value={value} />;
  const plain = hasParts ? Object.values(value).filter(Boolean).join(", ") : value;
  if (!plain || element.type === undefined) {
    return (
      <span className={classes.nothing}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t("values.none")}</span>
      </span>
    );
  }
  if (element.names === "record-type") return <>{typeLabel(plain)}</>;
  if (element.document) return <DocumentValue element={element} value={plain} />;
  if (element.template === "upload") return <FileValue element={element} value={value} />;
  if (element.type === "flag" && plain !== "1") return t("values.no");
  const currency = (element.currency_field ? textOf(record[`__${element.currency_field}`]) : undefined) ?? own;
  const href = element.controller ? `/${element.controller}/view?id=${encodeURIComponent(plain)}` : undefined;
  const options = element.options?.map(({ value, text: label, color }) => ({
    value,
    label,
    ...(color ? { color } : {}),
  }));
  return fieldValue(
    { type: element.type, options, scale: element.scale },
    { value: plain, text, href, currency },
    formats,
    {
      yes: t("values.yes"),
      no: t("values.no"),
    },
  );
}
