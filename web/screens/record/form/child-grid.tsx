// Children that belong to the record, as a table to read.
import type { FormElement, WireChild } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import table from "../../../parts/layout/table.module.css";
import { fieldName } from "./form-rules.ts";
import { StoredValue } from "./stored-value.tsx";

export function ChildGrid({ element, rows }: { readonly element: FormElement; readonly rows: readonly WireChild[] }) {
  const columns = (element.children ?? []).filter(
    (column) =>
      column.permission !== permission.DELETE &&
      rows.some((row) => row[fieldName(column)] !== null && row[fieldName(column)] !== undefined),
  );
  return (
    <ScrollRegion label={element.label}>
      <table className={table.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.__name} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={typeof row.id === "string" ? row.id : index}>
              {columns.map((column) => {
                const name = fieldName(column);
                const called = row[`__${name}`];
                return (
                  <td key={column.__name}>
                    <StoredValue
                      element={column}
                      record={row}
                      value={row[name] ?? null}
                      text={typeof called === "string" ? called : undefined}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
