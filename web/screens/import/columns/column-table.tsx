// The columns of the file, what is in them, and the field that each goes to; those who design can make it a new one.
import type { ComboboxData } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundFile, ImportColumn, ImportField } from "../../../../client/records/imports.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { type Choices, fieldsToChoose, type Missing, mapColumn, ownOf, setMissing } from "../choices.ts";
import classes from "../import.module.css";

const NewFieldDialog = lazyPart(async () => (await import("./new-field-dialog.tsx")).NewFieldDialog, {
  hasInput: true,
});

/** No field is called so. */
const NEW_FIELD = "+";

interface ColumnTableProps {
  readonly recordTypeKey: string;
  readonly found: FoundFile;
  readonly choices: Choices;
  readonly choose: (make: (choices: Choices) => Choices) => void;
}

export function ColumnTable({ recordTypeKey, found, choices, choose }: ColumnTableProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<ImportColumn>();
  const fields = fieldsToChoose(found, choices);
  const grouped = (isChild: 0 | 1) =>
    fields
      .filter(({ is_child: child }) => child === isChild)
      .map(({ path, label, required }) => ({
        value: path,
        label: required === 1 ? t("imports.columns.required", { label }) : label,
      }));
  const data = (mayCreate: boolean) => [
    { value: "", label: t("imports.columns.skip") },
    ...(mayCreate ? [{ value: NEW_FIELD, label: t("imports.new_field.option") }] : []),
    { group: t("imports.columns.fields"), items: grouped(0) },
    ...(fields.some(({ is_child: child }) => child === 1)
      ? [{ group: t("imports.columns.children"), items: grouped(1) }]
      : []),
  ];
  const table = (
    <FactsTable
      label={t("imports.columns.title")}
      className={classes.columns}
      columns={[t("imports.columns.column"), t("imports.columns.samples"), t("imports.columns.field")]}
    >
      {found.columns.map((column) => (
        <ColumnRow
          key={column.name}
          {...{ column, choose }}
          data={data(column.new_field !== null)}
          mapped={ownOf(choices.mapping, column.name)}
          fields={fields}
          onNewField={() => setAsked(column)}
        />
      ))}
    </FactsTable>
  );
  return (
    <>
      {table}
      {asked?.new_field && (
        <NewFieldDialog
          {...{ recordTypeKey, found }}
          column={asked.name}
          suggested={asked.new_field}
          onMade={(field) => choose((now) => mapColumn(now, asked.name, field))}
          close={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface ColumnRowProps {
  readonly column: ImportColumn;
  readonly data: ComboboxData<string>;
  readonly mapped: Choices["mapping"][string] | undefined;
  readonly fields: readonly ImportField[];
  readonly choose: ColumnTableProps["choose"];
  readonly onNewField: () => void;
}

const missings: readonly Missing[] = ["report", "empty", "create"];

function ColumnRow({ column: { name, samples, reason }, data, mapped, fields, choose, onNewField }: ColumnRowProps) {
  const { t } = useTranslation();
  const field = fields.find(({ path }) => path === mapped?.field);
  const shown = samples.filter((text) => text.trim() !== "").slice(0, 3);
  return (
    <tr data-skipped={mapped === undefined || undefined}>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td className={classes.samples} dir="auto">
        {shown.length === 0 ? t("imports.columns.no_samples") : shown.join(" · ")}
      </td>
      <td className={classes.target}>
        <div>
          <LateSelect
            size="xs"
            aria-label={t("imports.columns.field_of", { column: name })}
            data={data}
            value={mapped?.field ?? ""}
            searchable
            // After a dialog the focus comes back here.
            openOnFocus={false}
            allowDeselect={false}
            maxDropdownHeight={320}
            nothingFoundMessage={t("fields.none")}
            onChange={(path) =>
              path === NEW_FIELD ? onNewField() : choose((now) => mapColumn(now, name, path === "" ? null : path))
            }
          />
          {mapped === undefined && reason && <span className={classes.quiet}>{reason}</span>}
          {mapped && field?.references && (
            <LateSelect
              size="xs"
              aria-label={t("imports.columns.missing_of", { column: name })}
              data={missings.map((value) => ({ value, label: t(`imports.columns.missing.${value}`) }))}
              value={mapped.missing}
              allowDeselect={false}
              onChange={(value) => {
                const missing = missings.find((one) => one === value);
                if (missing) choose((now) => setMissing(now, name, missing));
              }}
            />
          )}
        </div>
      </td>
    </tr>
  );
}
