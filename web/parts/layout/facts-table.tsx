// A small table of facts: on a phone each row is a block of its own, so that nothing lies out of sight. And the quiet button
// at the end of its rows.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { ScrollRegion } from "./scroll-region.tsx";
import table from "./table.module.css";

interface FactsTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly className?: string | undefined;
  /** The rows. A cell with `data-label` says what it is where there is no head. */
  readonly children: ReactNode;
}

export function FactsTable({ label, columns, className, children }: FactsTableProps) {
  return (
    <div className={table.room}>
      <ScrollRegion label={label}>
        <table className={[table.table, table.stacked, className].filter(Boolean).join(" ")}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

interface RowActionProps {
  readonly children: string;
  /** What it does, with the name of its row: buttons of many rows read alike otherwise. */
  readonly label: string;
  readonly loading?: boolean;
  /** Of one that unfolds something. */
  readonly isOpen?: boolean;
  readonly onClick: () => void;
}

export function RowAction({ children, label, loading = false, isOpen, onClick }: RowActionProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      className={table.rowAction ?? ""}
      loading={loading}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
