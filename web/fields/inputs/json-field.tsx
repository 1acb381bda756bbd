// JSON: as text, or, where it is a document of a known kind, as its designer has it.
import { Textarea } from "@mantine/core";
import type { StoredProps } from "../field-type.ts";
import { useDescribedType, useDocumentTools } from "../files/document-tools.ts";
import { code } from "../showing/link.tsx";
import { type FieldInputProps, plainText } from "./field-input-props.ts";

export function JsonInput(props: FieldInputProps) {
  const Document = useDocumentTools();
  const described = useDescribedType();
  const { element, id, name, value, error, errors = [], describedBy, onChange } = props;
  if (element.document && Document) {
    return (
      <Document
        kind={element.document}
        value={plainText(value)}
        recordTypeKey={described}
        errors={errors}
        onChange={onChange}
      />
    );
  }
  return (
    <Textarea
      id={id}
      aria-label={name}
      error={error}
      required={element.not_empty === "1"}
      aria-describedby={describedBy}
      autosize
      minRows={3}
      maxRows={14}
      value={plainText(value)}
      onChange={(event) => onChange(event.currentTarget.value === "" ? null : event.currentTarget.value)}
    />
  );
}

const noErrors: readonly string[] = [];

export function DocumentValue({ element, plain }: StoredProps) {
  const Document = useDocumentTools();
  const described = useDescribedType();
  if (!element.document || !Document) return code(plain);
  return <Document kind={element.document} value={plain} recordTypeKey={described} errors={noErrors} />;
}
