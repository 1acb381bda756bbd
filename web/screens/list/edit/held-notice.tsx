// Says which cells are not saved, why, and how to go on: edit them, try again as they are, or let them go.
import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useHeldPlace } from "../../../session/held-place.ts";
import classes from "./held.module.css";
import { useHeldCells } from "./held-cells.ts";
import type { OpenCell } from "./open-cell.ts";

interface HeldNoticeProps {
  readonly recordTypeKey: string;
  /** Undefined where the cell is not in the list as it is shown. */
  readonly editorOf: (cell: OpenCell) => (() => void) | undefined;
  readonly onRetry: (cell: OpenCell) => void;
  readonly onDiscard: (cell: OpenCell) => void;
}

const MOST = 3;

export function HeldNotice({ recordTypeKey, editorOf, onRetry, onDiscard }: HeldNoticeProps) {
  const { t } = useTranslation();
  const cells = [...useHeldCells(recordTypeKey).values()].flat();
  const isHolding = cells.length > 0;
  useHeldPlace(isHolding);
  useEffect(() => {
    if (!isHolding) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isHolding]);
  if (!isHolding) return null;
  return (
    <div className={classes.notice} role="alert">
      <p>
        <IconAlertCircle size={16} stroke={1.8} aria-hidden="true" />
        {t("table.unsaved", { count: cells.length })}
      </p>
      <ul>
        {cells.slice(0, MOST).map((cell) => {
          const { id, name, column, typed } = cell;
          const edit = editorOf(cell);
          return (
            <li key={`${id} ${column.name}`}>
              <span>
                {t("table.unsaved_cell", {
                  label: column.label,
                  name,
                  typed: typed.text ?? typed.value ?? "",
                })}{" "}
                <em>{reasonOf(cell) ?? t("edit.conflict")}</em>
              </span>
              <span className={classes.actions}>
                {edit && (
                  <Button size="compact-xs" variant="default" onClick={edit}>
                    {t("table.go_on")}
                  </Button>
                )}
                {cell.theirs === undefined && (
                  <Button size="compact-xs" variant="default" onClick={() => onRetry(cell)}>
                    {t("table.try_again")}
                  </Button>
                )}
                <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onDiscard(cell)}>
                  {t("table.discard")}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export const reasonOf = ({ errors }: OpenCell): string | undefined =>
  errors.length === 0 ? undefined : errors.join(" ");
