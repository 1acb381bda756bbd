// The buttons that change what a list shows: its filter, groups, columns and kind.
import { UnstyledButton } from "@mantine/core";
import { IconFilter, IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../client/design/record-types.ts";
import type { ListPage } from "../../../client/lists/lists.ts";
import { useCommands } from "../../parts/commands/commands.ts";
import { ShowAs } from "../../views/show-as.tsx";
import { ColumnsButton } from "./columns/columns-button.tsx";
import { leavesOf, readWhere } from "./filter/condition.ts";
import classes from "./list-tools.module.css";
import type { ViewDraft } from "./views/use-view-draft.ts";

/** What is open between the toolbar and the table. */
export type ListPanel =
  | {
      readonly kind: "filter";
      /** A condition to begin with. */
      readonly begin?: { readonly column: string; readonly field: SchemaField };
    }
  | { readonly kind: "group" }
  | undefined;

interface ListToolsProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage | undefined;
  readonly draft: ViewDraft;
  readonly panel: ListPanel;
  readonly onPanel: (panel: ListPanel) => void;
}

export function ListTools({ schema, head, draft, panel, onPanel }: ListToolsProps) {
  const { t } = useTranslation();
  const count = leavesOf(readWhere(draft.query.where)).length;
  const groups = draft.query.group?.length ?? 0;
  const toggle = (): void => onPanel(panel?.kind === "filter" ? undefined : { kind: "filter" });
  const groupPanel = (): void => onPanel(panel?.kind === "group" ? undefined : { kind: "group" });
  useCommands(
    draft.isReady
      ? [
          { id: "list-filter", label: t("filter.edit"), group: "list", keys: "f", icon: IconFilter, run: toggle },
          { id: "list-group", label: t("group.edit"), group: "list", icon: IconStack2, run: groupPanel },
        ]
      : [],
  );
  return (
    <div className={classes.tools}>
      <ToolButton
        icon={<IconFilter size={15} stroke={1.6} aria-hidden="true" />}
        text={t("filter.button")}
        label={count === 0 ? t("filter.button") : t("filter.button_on", { count })}
        mark={count === 0 ? undefined : String(count)}
        open={panel?.kind === "filter"}
        disabled={!draft.isReady}
        onClick={toggle}
      />
      <ToolButton
        icon={<IconStack2 size={15} stroke={1.6} aria-hidden="true" />}
        text={t("group.button")}
        label={groups === 0 ? t("group.button") : t("group.button_on", { count: groups })}
        mark={groups === 0 ? undefined : String(groups)}
        open={panel?.kind === "group"}
        disabled={!draft.isReady}
        onClick={groupPanel}
      />
      {head && <ColumnsButton {...{ schema, head, draft }} />}
      {head && <ShowAs {...{ schema, draft }} kind={head.kind} />}
    </div>
  );
}

interface ToolButtonProps {
  readonly icon: ReactNode;
  readonly text: string;
  readonly label: string;
  /** A word or number beside the text, where something is chosen. */
  readonly mark: string | undefined;
  readonly open: boolean;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function ToolButton({ icon, text, label, mark, open, disabled, onClick }: ToolButtonProps) {
  return (
    <UnstyledButton
      className={classes.tool ?? ""}
      aria-label={label}
      aria-expanded={open}
      data-on={mark !== undefined || undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
      <span>{text}</span>
      {mark !== undefined && <small>{mark}</small>}
    </UnstyledButton>
  );
}
