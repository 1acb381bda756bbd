// The keys of a list's table, said where all keys are said: the sheet of shortcuts tells them while the table is there. Keys
// that a cell understands work only while a cell has the focus; moving and the clipboard are the table's to hear.
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { type Command, useCommands } from "../../../parts/commands/commands.ts";

export interface TableKeys {
  step(by: 1 | -1): void;
  enter(): void;
  open(): void;
  peek(): void;
  /** Undefined where records cannot be edited or selected here. */
  readonly edit: (() => void) | undefined;
  readonly pick: (() => void) | undefined;
  readonly clear: (() => void) | undefined;
  /** Ends a range or a selection; undefined where there is none. */
  readonly leave: (() => void) | undefined;
  /** Whether columns can be changed. */
  readonly isDesigned: boolean;
}

export function useTableCommands(table: RefObject<HTMLElement | null>, keys: TableKeys): void {
  const { t } = useTranslation();
  const isInTable = (): boolean => table.current?.contains(document.activeElement) ?? false;
  const isInCell = (): boolean =>
    isInTable() && document.activeElement?.matches("[role=gridcell][data-place]") === true;
  const command = (
    name: TableWords,
    pressed: string,
    more: Pick<Command, "run" | "when" | "also" | "repeats"> = {},
  ): Command => ({
    id: `table-${name}`,
    label: t(`table.${name}`),
    group: "list",
    keys: pressed,
    ...more,
  });
  const inCell = (
    name: TableWords,
    pressed: string,
    run: (() => void) | undefined,
    also?: string,
  ): readonly Command[] => (run === undefined ? [] : [command(name, pressed, { run, when: isInCell, also })]);
  useCommands([
    // For the keyboard alone: the palette has no row to step from.
    command("next", "j", { run: () => keys.step(1), when: () => true, repeats: true }),
    command("previous", "k", { run: () => keys.step(-1), when: () => true, repeats: true }),
    command("move", "Arrows"),
    command("range", "Shift+Arrows"),
    command("range_all", "mod+A"),
    ...inCell("edit", "Enter", keys.enter),
    ...inCell("edit_cell", "F2", keys.edit),
    ...inCell("peek", "Space", keys.peek),
    ...inCell("open", "o", keys.open),
    ...inCell("select", "x", keys.pick),
    ...(keys.pick ? [command("select_range", "Shift+X")] : []),
    command("copy", "mod+C"),
    ...(keys.clear ? [command("paste", "mod+V")] : []),
    ...inCell("clear", "Delete", keys.clear, "Backspace"),
    ...(keys.leave ? [command("leave", "Escape", { run: keys.leave, when: isInTable })] : []),
    ...(keys.isDesigned
      ? [
          command("widen", "Alt+Sideways"),
          command("move_column", "Alt+Shift+Sideways"),
          command("column_menu", "Alt+ArrowDown"),
        ]
      : []),
  ]);
}

type TableWords =
  | "next"
  | "previous"
  | "move"
  | "range"
  | "range_all"
  | "edit"
  | "edit_cell"
  | "peek"
  | "open"
  | "select"
  | "select_range"
  | "copy"
  | "paste"
  | "clear"
  | "leave"
  | "widen"
  | "move_column"
  | "column_menu";
