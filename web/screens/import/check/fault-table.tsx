// The first cells and rows that cannot be imported, with the reason; a cell is corrected where it stands.
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportFault } from "../../../../client/records/jobs.ts";
import { useFormats } from "../../../fields/formats.ts";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import { type Corrections, isToldWhole, ownOf } from "../choices.ts";
import classes from "../import.module.css";

interface FaultTableProps {
  readonly faults: readonly ImportFault[];
  readonly corrections: Corrections;
  /** Undefined: as the file says. */
  readonly onCorrect: (row: number, column: string, text: string | undefined) => void;
  readonly onEnter: () => void;
}

/** What was wrong with it is no longer known to be. */
const isCorrected = (corrections: Corrections, row: number, column: string | null): boolean =>
  column !== null && ownOf(corrections[row], column) !== undefined;

export function FaultTable({ faults, corrections, onCorrect, onEnter }: FaultTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <FactsTable
      label={t("imports.check.faults")}
      className={classes.faults}
      columns={[t("imports.row"), t("imports.check.column"), t("imports.check.value"), t("imports.check.problem")]}
    >
      {faults.map(({ row, column, value, reasons }, index) => (
        <tr
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell can be told twice, and the list never changes its order
          key={`${row} ${column} ${index}`}
          className={isCorrected(corrections, row, column) ? classes.corrected : undefined}
        >
          <th scope="row">
            <span className={classes.inCards}>{t("imports.row")} </span>
            {formats.count(row)}
          </th>
          <td dir="auto">{column ?? t("imports.check.whole_row")}</td>
          <td className={classes.cell}>
            {column !== null && !isToldWhole(value) && <span dir="auto">{value}…</span>}
            {column !== null && isToldWhole(value) && (
              <TextInput
                size="xs"
                aria-label={t("imports.check.cell", { row: formats.count(row), column })}
                aria-invalid={!isCorrected(corrections, row, column)}
                data-corrected={isCorrected(corrections, row, column) || undefined}
                dir="auto"
                value={ownOf(corrections[row], column) ?? value ?? ""}
                placeholder={t("imports.check.empty")}
                onChange={({ currentTarget: { value: text } }) =>
                  onCorrect(row, column, text === (value ?? "") ? undefined : text)
                }
                onKeyDown={(event) => event.key === "Enter" && onEnter()}
              />
            )}
          </td>
          <td className={classes.reason}>{reasons.join(" ")}</td>
        </tr>
      ))}
    </FactsTable>
  );
}
