// The first rows of a list in little room.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import type { ListChoice } from "../../../client/lists/lists.ts";
import { fieldValue } from "../../fields/field-value.ts";
import { useFormats } from "../../fields/formats.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { chartQuery } from "../../queries.ts";
import { ChartSkeleton } from "../../views/chart-skeleton.tsx";
import { columnsOf } from "../list/columns/columns.ts";
import classes from "./dashboard.module.css";

const ROWS = 6;
const COLUMNS = 4;

interface TableTileProps {
  readonly schema: RecordTypeSchema;
  readonly choice: ListChoice;
  readonly where: Condition | undefined;
  readonly label: string;
}

export function TableTile({ schema, choice, where, label }: TableTileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { key } = schema.recordType;
  const query = useQuery(chartQuery(key, choice, { limit: ROWS, ...(where ? { q: { where } } : {}) }));
  const words = { yes: t("values.yes"), no: t("values.no") };
  return (
    <Loaded query={query} skeleton={<ChartSkeleton kind="table" isTile />}>
      {(page) => {
        const columns = columnsOf(page, schema).slice(0, COLUMNS);
        if (page.rows.length === 0) return <p className={classes.nothing}>{t("dashboard.nothing")}</p>;
        return (
          <table className={classes.table} aria-label={label}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.key} scope="col" data-end={column.isNumeric || undefined}>
                    {column.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.rows.map((row, index) => {
                const id = row[page.idColumn];
                const href: string = `/${key}/view?id=${encodeURIComponent(String(id))}`;
                return (
                  <tr key={typeof id === "string" ? id : index}>
                    {columns.map((column, position) => {
                      const shown = column.shown(row);
                      const content = shown && fieldValue(column.field, { ...shown, href: undefined }, formats, words);
                      return (
                        <td key={column.key} data-end={column.isNumeric || undefined} dir="auto">
                          {position === 0 && typeof id === "string" ? (
                            <Link to={href}>{content ?? t("list.unnamed")}</Link>
                          ) : (
                            content
                          )}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        );
      }}
    </Loaded>
  );
}
