// The first rows of the file as they will become: by field, days and numbers as the reader writes them.
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { FoundFile } from "../../../../client/records/imports.ts";
import { useFormats, useLocale, useTimeZone } from "../../../fields/formats.ts";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import { becomes } from "../becomes.ts";
import { type Choices, fieldsToChoose, ownOf } from "../choices.ts";
import classes from "../import.module.css";

const SHOWN = 5;

interface PreviewRowsProps {
  readonly found: FoundFile;
  readonly choices: Choices;
  readonly schema: RecordTypeSchema;
}

export function PreviewRows({ found, choices, schema }: PreviewRowsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const reader = { locale: useLocale(), timeZone: useTimeZone(), yes: t("values.yes"), no: t("values.no") };
  const fields = fieldsToChoose(found, choices);
  const columns = found.columns.flatMap(({ name }, index) => {
    const path = ownOf(choices.mapping, name)?.field;
    const field = fields.find((one) => one.path === path);
    return path === undefined || field === undefined
      ? []
      : [{ name, index, label: field.label, field: schema.fields.find((one) => one.name === path) }];
  });
  if (columns.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("imports.preview.none")}
      </Text>
    );
  }
  return (
    <FactsTable
      label={t("imports.preview.title")}
      className={classes.preview}
      columns={[t("imports.row"), ...columns.map(({ label }) => label)]}
    >
      {found.rows.slice(0, SHOWN).map(({ row, cells }) => (
        <tr key={row}>
          <th scope="row">
            <span className={classes.quiet}>
              <span className={classes.inCards}>{t("imports.row")} </span>
              {formats.count(row)}
            </span>
          </th>
          {columns.map(({ name, index, label, field }) => {
            const sent = ownOf(choices.corrections[row], name) ?? cells[index] ?? "";
            const { text, isInvalid } = becomes(sent, field, found.dialect, formats, reader);
            return (
              <td key={name} data-label={label} data-invalid={isInvalid || undefined}>
                {text !== "" && <bdi>{text}</bdi>}
              </td>
            );
          })}
        </tr>
      ))}
    </FactsTable>
  );
}
