// Asks before records move to the newest version of their workflow: what that means, and which stage each goes to. A stage that is
// no longer there must be answered for.
import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Move, OlderRecords } from "../../../../client/records/older-records.ts";
import { useFormats } from "../../../fields/formats.ts";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import classes from "./workflow.module.css";

interface MoveRecordsDialogProps {
  readonly older: OlderRecords;
  /** The mutation behind it. */
  readonly change: { readonly error: Error | null; readonly isPending: boolean; readonly reset: () => void };
  readonly onMove: (move: Move) => void;
  readonly onClose: () => void;
}

export function MoveRecordsDialog({ older, change, onMove, onClose }: MoveRecordsDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  useReturnFocus(true);
  const groups = byStage(older);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  /** What was chosen counts as long as the newest version has it. */
  const goalOf = ({ stage, to }: StageGroup): string | null =>
    older.stages.find(({ key }) => key === chosen[stage])?.key ?? to;
  const [isTried, setTried] = useState(false);
  const version = older.version;
  const close = (): void => {
    change.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      size="lg"
      close={close}
      title={t("workflows.older_title", { version })}
      lead={t("workflows.older_what")}
      action={t("workflows.older_go")}
      change={change}
      isHeld={change.isPending}
      onConfirm={() => {
        const missing = groups.find((group) => goalOf(group) === null);
        setTried(true);
        if (missing) document.getElementById(inputOf(missing.stage))?.focus();
        else onMove({ version, stages: othersThanSame(groups, goalOf) });
      }}
    >
      <FactsTable
        label={t("workflows.older_stages")}
        columns={[t("workflows.older_stage"), t("workflows.older_records"), t("workflows.older_to")]}
        className={classes.moves}
      >
        {groups.map((group) => {
          const { stage, name, count, to } = group;
          const goal = goalOf(group);
          return (
            <tr key={stage}>
              <th scope="row" dir="auto">
                {name}
                {to === null && <span className={classes.gone}>{t("workflows.older_gone", { version })}</span>}
              </th>
              <td data-label={t("workflows.older_records")}>{formats.count(count)}</td>
              <td data-label={t("workflows.older_to")}>
                <Select
                  id={inputOf(stage)}
                  size="xs"
                  aria-label={t("workflows.older_to_of", { name })}
                  placeholder={t("workflows.older_choose")}
                  allowDeselect={false}
                  data={older.stages.map((one) => ({ value: one.key, label: one.name }))}
                  value={goal}
                  error={isTried && goal === null ? t("workflows.older_choose") : undefined}
                  onChange={(next) => next !== null && setChosen({ ...chosen, [stage]: next })}
                />
              </td>
            </tr>
          );
        })}
      </FactsTable>
    </ConfirmDialog>
  );
}

const inputOf = (stage: string): string => `stage-for-${stage}`;

interface StageGroup {
  readonly stage: string;
  readonly name: string;
  readonly to: string | null;
  readonly count: number;
}

/** Only what was decided: where a stage goes on by the same key, records may leave it or come to it meanwhile. */
const othersThanSame = (groups: readonly StageGroup[], goalOf: (group: StageGroup) => string | null) =>
  Object.fromEntries(
    groups.flatMap((group) => {
      const goal = goalOf(group);
      return goal === null || goal === group.to ? [] : [[group.stage, goal]];
    }),
  );

/** A stage is answered for once, whatever version its records are on. */
function byStage({ moving }: OlderRecords): readonly StageGroup[] {
  const found = new Map<string, StageGroup>();
  for (const { stage, __stage: name, to, count } of moving) {
    found.set(stage, { stage, name, to, count: count + (found.get(stage)?.count ?? 0) });
  }
  return [...found.values()];
}
