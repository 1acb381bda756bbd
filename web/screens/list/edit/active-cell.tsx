// What stands in the cell that is edited: its input, or why it cannot be edited.
import { useTranslation } from "react-i18next";
import { withFieldParts } from "../../../fields/with-field-parts.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import classes from "./cell-editor.module.css";
import type { CellEdit } from "./use-cell-edit.ts";

const CellEditor = lazyPart(async () => (await withFieldParts(() => import("./cell-editor.tsx"))).CellEditor, {
  hasInput: true,
  close: ({ edit }) => edit.cancel(),
});

interface ActiveCellProps {
  readonly edit: CellEdit;
  readonly onLeave: (step: -1 | 0 | 1) => void;
}

export function ActiveCell({ edit, onLeave }: ActiveCellProps) {
  const { t } = useTranslation();
  const { open, refused } = edit;
  if (open) return <CellEditor key={`${open.id} ${open.column.key}`} cell={open} edit={edit} onLeave={onLeave} />;
  return (
    refused && (
      <span role="status" className={classes.note}>
        {t(`edit.why.${refused.why}`, { label: refused.column.label })}
      </span>
    )
  );
}
