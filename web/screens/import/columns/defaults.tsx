// Values for what the file lacks: the fields that every record needs first, then any that somebody adds.
import { CloseButton, Select, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { FoundFile, ImportField } from "../../../../client/records/imports.ts";
import { type Choices, lackingFields, setDefault } from "../choices.ts";
import classes from "../import.module.css";

interface DefaultsProps {
  readonly found: FoundFile;
  readonly choices: Choices;
  readonly schema: RecordTypeSchema;
  readonly choose: (make: (choices: Choices) => Choices) => void;
}

export function Defaults({ found, choices, schema, choose }: DefaultsProps) {
  const { t } = useTranslation();
  const lacking = lackingFields(found, choices).filter(({ path }) => !path.includes("."));
  const names = new Set([...lacking.map(({ path }) => path), ...Object.keys(choices.defaults)]);
  const shown = found.fields.filter(({ path }) => names.has(path));
  const mapped = new Set(Object.values(choices.mapping).map(({ field }) => field.split(".")[0]));
  const more = found.fields.filter(
    ({ path, is_child: child, unique }) =>
      child === 0 && unique === 0 && !path.includes(".") && !names.has(path) && !mapped.has(path) && !given.has(path),
  );
  return (
    <div className={classes.defaults}>
      {shown.length > 0 && (
        <Text size="sm" c="dimmed">
          {t(lacking.length > 0 ? "imports.defaults.lacking" : "imports.defaults.lead")}
        </Text>
      )}
      <div className={classes.options}>
        {shown.map((field) => (
          <DefaultInput
            key={field.path}
            field={field}
            options={schema.fields.find(({ name }) => name === field.path)?.options}
            isRequired={lacking.includes(field)}
            value={choices.defaults[field.path] ?? ""}
            onChange={(value) => choose((now) => setDefault(now, field.path, value))}
          />
        ))}
        {more.length > 0 && (
          <Select
            label={t("imports.defaults.add")}
            placeholder={t("imports.defaults.choose")}
            data={more.map(({ path, label }) => ({ value: path, label }))}
            value={null}
            searchable
            nothingFoundMessage={t("fields.none")}
            onChange={(path) => path !== null && choose((now) => setDefault(now, path, ""))}
          />
        )}
      </div>
    </div>
  );
}

/** They find records, and are never written. */
const given = new Set(["id", "business_key"]);

interface DefaultInputProps {
  readonly field: ImportField;
  readonly options: SchemaField["options"];
  readonly isRequired: boolean;
  readonly value: string;
  /** Undefined: there is none any more. */
  readonly onChange: (value: string | undefined) => void;
}

function DefaultInput({ field, options, isRequired, value, onChange }: DefaultInputProps) {
  const { t } = useTranslation();
  const { label } = field;
  const shared = {
    label: isRequired ? t("imports.columns.required", { label }) : label,
    placeholder: t("imports.defaults.none"),
    ...(isRequired
      ? {}
      : {
          rightSection: (
            <CloseButton
              size="sm"
              aria-label={t("imports.defaults.remove", { label })}
              onClick={() => onChange(undefined)}
            />
          ),
          rightSectionPointerEvents: "all" as const,
        }),
  };
  if (!options) {
    return <TextInput {...shared} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
  }
  return (
    <Select
      {...shared}
      data={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value === "" ? null : value}
      searchable
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
