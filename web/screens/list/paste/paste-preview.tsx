// What a paste would change, record by record: each cell with what it was and becomes, or why it is invalid. Records
// with invalid cells come first.
import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import type { Column } from "../columns/columns.ts";
import type { CellValue } from "../edit/patch-rows.ts";
import classes from "./paste.module.css";
import type { PastedCell, PastedRow } from "./prepare-paste.ts";

const MOST_SHOWN = 100;

interface PasteSummaryProps {
  readonly rows: readonly PastedRow[];
  readonly rowsLeft: number;
  readonly columnsLeft: number;
  readonly importAll: (() => void) | undefined;
}

export function PasteSummary({ rows, rowsLeft, columnsLeft, importAll }: PasteSummaryProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const cells = rows.flatMap((row) => row.cells);
  const changed = cells.filter(({ after }) => after !== undefined).length;
  const refused = cells.filter(({ why }) => why !== undefined).length;
  const same = cells.length - changed - refused;
  const words = (count: number) => ({ count, replace: { count: formats.count(count) } });
  const said = [
    ...(changed > 0 ? [t("paste.changes", words(changed))] : []),
    ...(same > 0 ? [t("paste.same", words(same))] : []),
  ];
  return (
    <>
      <Text size="sm">
        {[...(changed === 0 ? [t("paste.nothing")] : []), ...(said.length > 0 ? [`${said.join(", ")}.`] : [])].join(
          " ",
        )}
      </Text>
      {refused > 0 && <Notice tone="bad">{t("paste.refused", words(refused))}</Notice>}
      {(rowsLeft > 0 || columnsLeft > 0) && (
        <Notice tone="news">
          {[
            ...(rowsLeft > 0 ? [t("paste.rows_left", words(rowsLeft))] : []),
            ...(columnsLeft > 0 ? [t("paste.columns_left", words(columnsLeft))] : []),
          ].join(" ")}{" "}
          {rowsLeft > 0 && importAll && (
            <Anchor component="button" type="button" size="sm" onClick={importAll}>
              {t("paste.import_all")}
            </Anchor>
          )}
        </Notice>
      )}
    </>
  );
}

const isRefused = ({ cells }: PastedRow): boolean => cells.some(({ why }) => why !== undefined);
const isTouched = ({ cells }: PastedRow): boolean => cells.some(({ why, after }) => why !== undefined || after);

export function PastePreview({
  rows,
  columns,
}: {
  readonly rows: readonly PastedRow[];
  readonly columns: readonly Column[];
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const touched = rows.filter(isTouched);
  const ordered = [...touched.filter(isRefused), ...touched.filter((row) => !isRefused(row))];
  const more = ordered.length - MOST_SHOWN;
  if (ordered.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    <section className={classes.region} aria-label={t("table.paste")} tabIndex={0}>
      <table className={classes.preview}>
        <thead>
          <tr>
            <th scope="col">{t("paste.record")}</th>
            {columns.map(({ key, label }) => (
              <th scope="col" key={key}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, MOST_SHOWN).map(({ id, name, cells }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {cells.map((cell) => (
                <td key={cell.column.key}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Text size="sm" c="dimmed" p="xs">
          {t("paste.more", { count: more, replace: { count: formats.count(more) } })}
        </Text>
      )}
    </section>
  );
}

function Cell({ cell: { column, pasted, before, after, why } }: { readonly cell: PastedCell }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = { yes: t("values.yes"), no: t("values.no") };
  const show = (value: CellValue | undefined): ReactNode =>
    value?.value == null
      ? t("values.none")
      : fieldValue(column.field, { value: value.value, text: value.text ?? undefined }, formats, words, -1);
  if (why !== undefined) {
    return (
      <div className={classes.refused}>
        <b>{pasted.text === "" ? t("values.none") : pasted.text}</b>
        <span>{why}</span>
      </div>
    );
  }
  if (after === undefined) return <span className={classes.same}>{show(before)}</span>;
  return (
    <div className={classes.change}>
      <del>{show(before)}</del> <span className="visually-hidden">{t("paste.becomes")}</span>
      <ins>{show(after)}</ins>
    </div>
  );
}

interface PasteFailuresProps {
  readonly failed: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly PastedRow[];
}

export function PasteFailures({ failed, rows }: PasteFailuresProps) {
  return (
    <ul className={classes.failures} role="alert">
      {Object.entries(failed).map(([id, reasons]) => (
        <li key={id}>
          <b>{rows.find((row) => row.id === id)?.name ?? id}</b>
          {reasons.map((reason) => (
            <span key={reason}>{reason}</span>
          ))}
        </li>
      ))}
    </ul>
  );
}
