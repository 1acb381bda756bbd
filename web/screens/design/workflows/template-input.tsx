// A text with values of the record in double braces: typed, or chosen from the record's fields and those it leads to.
import { Textarea } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import { templateFault } from "./expression-input.tsx";

interface TemplateInputProps {
  readonly label: string;
  readonly recordTypeKey: string;
  readonly value: string;
  /** Lines at first; 1 for a subject. */
  readonly rows: number;
  readonly onChange: (text: string) => void;
}

export function TemplateInput({ label, recordTypeKey, value, rows, onChange }: TemplateInputProps) {
  const { t, i18n } = useTranslation();
  const place = useRef<HTMLTextAreaElement>(null);
  const insert = (column: string): void => {
    // The picker names the record type first; a template is always about its own record.
    const path = column.split(".").slice(1).join(".");
    const at = place.current?.selectionEnd ?? value.length;
    onChange(`${value.slice(0, at)}{{${path}}}${value.slice(at)}`);
  };
  return (
    <div>
      <Textarea
        ref={place}
        label={label}
        {...(rows > 1 ? { description: t("workflows.text_lead", { example: "{{company.name}}" }) } : {})}
        autosize
        minRows={rows}
        value={value}
        error={templateFault(value, i18n.language)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FieldPicker
        recordTypeKey={recordTypeKey}
        label={`${t("workflows.insert_field")}: ${label}`}
        title={undefined}
        withinPortal={false}
        button={
          <>
            <IconBraces size={14} stroke={1.6} aria-hidden="true" />
            {t("workflows.insert_field")}
            <span className="visually-hidden">: {label}</span>
          </>
        }
        onChoose={({ column }) => insert(column)}
      />
    </div>
  );
}
