// The cell at the beginning of a row, or of the head, by which it is selected. Clicks are the table's to handle; by
// keyboard it is X in any cell of the row.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is a cell of the grid, not the box
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: both roles that it can have are cells
import classes from "./selection.module.css";

/** How much room it takes before the columns. */
export const SELECT_WIDTH = 36;

interface SelectCellProps {
  readonly role: "gridcell" | "columnheader";
  readonly label: string;
  readonly checked: boolean;
  readonly mixed?: boolean;
}

export function SelectCell({ role, label, checked, mixed = false }: SelectCellProps) {
  return (
    <div
      role={role}
      aria-colindex={1}
      className={classes.cell}
      data-head={role === "columnheader" || undefined}
      data-select
    >
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={label}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
        // The table hears of the click.
        onChange={() => undefined}
        className={classes.box}
      />
    </div>
  );
}
