// The records of other types that name this one: the first few of each, how many there are, the whole list, a new one.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { type FormElement, tieTo } from "../../../../client/records/records.ts";
import type { RelatedPage } from "../../../../client/records/related.ts";
import { permission } from "../../../../contract/permissions.ts";
import { fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { withFieldParts } from "../../../fields/with-field-parts.ts";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import table from "../../../parts/layout/table.module.css";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { RELATED_ROWS, relatedQuery, schemaQuery } from "../../../queries.ts";
import { columnsOf } from "../../list/columns/columns.ts";
import { elementsOf } from "../form/form-rules.ts";
import type { Changes } from "../form/use-draft.ts";
import type { PanelProps } from "../panel.ts";
import classes from "../record.module.css";

const QuickAddDialog = lazyPart(
  async () => (await withFieldParts(() => import("../quick-add/quick-add-dialog.tsx"))).QuickAddDialog,
  {
    hasInput: true,
  },
);

/** More would not fit beside the tabs. */
const MOST_COLUMNS = 5;

export function RelatedPanel(props: PanelProps) {
  const lists = elementsOf(props.view.form).filter(
    (element) => element.template === "related" && element.permission !== permission.DELETE,
  );
  return lists.map((element) => <RelatedList key={element.__name} element={element} {...props} />);
}

function RelatedList({ element, recordTypeKey, id, name }: PanelProps & { readonly element: FormElement }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isAdding, setAdding] = useState(false);
  const far = element.controller ?? "";
  const query = useQuery(relatedQuery(element, recordTypeKey, id));
  const { data: schema } = useQuery(schemaQuery(far));
  const total = query.data?.total;
  const all =
    element.where && `/${far}/index?q=${encodeURIComponent(JSON.stringify({ where: tieTo(element.where, id) }))}`;
  const prefill: Changes = Object.fromEntries(
    Object.entries(element.prefill ? tieTo(element.prefill, id) : {}).map(([field, value]) => [
      field,
      { value, text: value === id ? name : undefined },
    ]),
  );
  return (
    <Section
      title={total === undefined ? element.label : `${element.label} · ${formats.count(total)}`}
      action={
        <Group gap={6} wrap="nowrap">
          {all !== undefined && total !== undefined && total > 0 && (
            <Button
              component={Link}
              to={all}
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={`${t("record.show_all")}: ${element.label}`}
            >
              {t("record.show_all")}
            </Button>
          )}
          {element.may_add === 1 && element.prefill !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} stroke={1.8} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              {t("record.add_row", { label: element.singular ?? element.label })}
            </Button>
          )}
        </Group>
      }
    >
      {query.data === undefined ? (
        query.isError ? (
          <p className={classes.nothing}>{query.error.message}</p>
        ) : (
          <Skeleton h={72} />
        )
      ) : total === 0 ? (
        <p className={classes.nothing}>{t("record.no_related", { type: element.label })}</p>
      ) : (
        schema && <RelatedTable label={element.label} far={far} page={query.data} schema={schema} own={element.where} />
      )}
      {isAdding && (
        <QuickAddDialog
          request={{ recordTypeKey: far, text: "", prefill, onAdded: () => void query.refetch() }}
          close={() => setAdding(false)}
        />
      )}
    </Section>
  );
}

interface RelatedTableProps {
  readonly label: string;
  readonly far: string;
  readonly page: RelatedPage;
  readonly schema: RecordTypeSchema;
  /** What ties them to the record: the same in every row. */
  readonly own: FormElement["where"];
}

function RelatedTable({ label, far, page, schema, own = {} }: RelatedTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = { yes: t("values.yes"), no: t("values.no") };
  const tied = Object.keys(own);
  const columns = columnsOf({ ...page, group: [] }, schema)
    .filter(({ key }) => !tied.some((name) => key.startsWith(`${name} `)))
    .slice(0, MOST_COLUMNS);
  return (
    <ScrollRegion label={label}>
      <table className={`${table.table} ${classes.relatedTable}`}>
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
          {page.rows.slice(0, RELATED_ROWS).map((row) => {
            const id = String(row[page.idColumn] ?? "");
            return (
              <tr key={id}>
                {columns.map((column, index) => {
                  const shown = column.shown(row);
                  const content = shown && fieldValue(column.field, shown, formats, words);
                  return (
                    <td key={column.key} data-end={column.isNumeric || undefined} dir="auto">
                      {index === 0 ? (
                        <Link
                          to="/$module/$controller/view"
                          params={{ module: far.split("/")[0] ?? "", controller: far.split("/")[1] ?? "" }}
                          search={{ id }}
                          className={classes.related}
                        >
                          {shown?.text ?? shown?.value ?? String(row.record_display_name ?? t("list.unnamed"))}
                        </Link>
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
    </ScrollRegion>
  );
}
