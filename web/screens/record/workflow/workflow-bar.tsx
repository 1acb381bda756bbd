// Where the record is in its workflow, whom it waits for, and what one may do about it: the stages in a row, the
// transitions as buttons.
import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireTransition, WireWorkflow } from "../../../../client/records/workflow.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useAge } from "../../../parts/use-age.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, schemaQuery, stageLogQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { conditionWords } from "../../design/conditions/condition-words.ts";
import type { PanelProps } from "../panel.ts";
import { useTransition } from "./use-transition.ts";
import classes from "./workflow-bar.module.css";
import { WorkflowDialog } from "./workflow-dialog.tsx";

/** More than these go into a menu. */
const BUTTONS = 3;

type Undoable = NonNullable<WireWorkflow["undo"]>;

export function WorkflowBar(props: PanelProps) {
  const { view } = props;
  return view.workflow ? <Bar {...props} workflow={view.workflow} /> : null;
}

function Bar({ workflow, ...props }: PanelProps & { readonly workflow: WireWorkflow }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<WireTransition>();
  const moving = useTransition(props, workflow, () => setAsked(undefined));
  const possible = props.view.is_record_deleted ? [] : forwardFirst(workflow);
  const start = (transition: WireTransition): void => {
    if (asksFirst(transition, props)) setAsked(transition);
    else moving.take(transition, "", {});
  };
  useCommands(
    possible.map((one) => ({ id: `workflow-${one.name}`, label: one.label, group: "record", run: () => start(one) })),
  );
  const bar = useRef<HTMLElement>(null);
  const last = useRef(workflow.stage);
  // The button that was pressed goes with the stage that it led out of.
  useEffect(() => {
    if (last.current === workflow.stage) return;
    last.current = workflow.stage;
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  }, [workflow.stage]);
  const [shown, rest] = [possible.slice(0, BUTTONS), possible.slice(BUTTONS)];
  return (
    <section ref={bar} tabIndex={-1} className={classes.bar} aria-label={t("workflow.bar", { name: workflow.name })}>
      <Stages workflow={workflow} recordTypeKey={props.recordTypeKey} id={props.id} />
      <div className={classes.line}>
        <Waiting workflow={workflow} />
        {workflow.undo && needsUndo(workflow.undo, possible) && <UndoStep {...props} step={workflow.undo} />}
        {possible.length > 0 && (
          <div className={classes.actions}>
            {shown.map((one, index) => (
              <Button
                key={one.name}
                size="xs"
                variant={index === 0 && workflow.is_my_turn ? "filled" : "default"}
                disabled={moving.isPending}
                onClick={() => start(one)}
              >
                {one.label}
              </Button>
            ))}
            {rest.length > 0 && (
              <Menu position="bottom-end" shadow="md" offset={4} withInitialFocusPlaceholder={false}>
                <Menu.Target>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={moving.isPending}
                    rightSection={<IconChevronDown size={14} aria-hidden="true" />}
                  >
                    {t("workflow.more")}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {rest.map((one) => (
                    <Menu.Item key={one.name} onClick={() => start(one)}>
                      {one.label}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            )}
          </div>
        )}
      </div>
      {!props.view.is_record_deleted && <NotYet workflow={workflow} recordTypeKey={props.recordTypeKey} />}
      <WorkflowDialog {...props} transition={asked} moving={moving} close={() => setAsked(undefined)} />
    </section>
  );
}

/** A step that created nothing needs no button of its own where an action leads back to the stage that it came from. */
const needsUndo = ({ from, has_created: created }: Undoable, possible: readonly WireTransition[]): boolean =>
  created || !possible.some(({ to }) => to === from);

/** Takes back what was done last, after a question. */
function UndoStep({ recordTypeKey, id, step }: PanelProps & { readonly step: Undoable }) {
  const { label } = step;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const undo = useWrite({
    mutationFn: () => client.workflow.undoTransition(recordTypeKey, id, step.step),
    onSuccess: async (view) => {
      setAsked(false);
      showDone(view.message?.join(". ") ?? "");
      await forgetRecords(queryClient, recordTypeKey);
    },
  });
  return (
    <>
      <Button size="xs" variant="subtle" onClick={() => setAsked(true)}>
        {t("workflow.undo", { label })}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        close={() => setAsked(false)}
        title={t("workflow.undo_title", { label })}
        lead={t("workflow.undo_lead")}
        action={t("workflow.undo", { label })}
        onConfirm={() => undo.mutate()}
        change={undo}
      />
    </>
  );
}

/** What goes on comes before what goes back, each the nearest first; of those to one stage, in the workflow's order. */
function forwardFirst({ stage, stages, transitions }: WireWorkflow): readonly WireTransition[] {
  const placeOf = (id: string): number => stages.findIndex((one) => one.id === id);
  const here = placeOf(stage);
  const distance = ({ to }: WireTransition): number => {
    const steps = placeOf(to) - here;
    return steps > 0 ? steps : stages.length - steps;
  };
  return transitions.filter((one) => one.possible).sort((one, other) => distance(one) - distance(other));
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Something is missing, or somebody's word is asked for. */
const asksFirst = ({ required, reason, kind, has_choices: chooses }: WireTransition, { record }: PanelProps): boolean =>
  chooses || reason === "required" || kind !== "move" || required.some(({ field }) => isEmpty(record[field]));

interface StagesProps extends Pick<PanelProps, "recordTypeKey" | "id"> {
  readonly workflow: WireWorkflow;
}

function Stages({ workflow, recordTypeKey, id: recordId }: StagesProps) {
  const { t } = useTranslation();
  const at = workflow.stages.findIndex(({ id }) => id === workflow.stage);
  // A stage that was passed over is not done: only the log knows. In the first stage there is nothing to ask it.
  const { data: log } = useQuery({ ...stageLogQuery(recordTypeKey, recordId), enabled: at > 0 });
  const visited = new Set(log?.filter(({ step }) => step !== "vote").map(({ to }) => to));
  const isOver = workflow.stages[at]?.kind === "end";
  // Of several ends only the one that it came to is on its way.
  const way = workflow.stages.filter(({ id, kind }) => !isOver || kind !== "end" || id === workflow.stage);
  return (
    <ol className={classes.stages} aria-label={t("workflow.stages")}>
      {way.map(({ id, name, color }, index) => {
        const here = id === workflow.stage;
        const isBefore = index < way.findIndex((one) => one.id === workflow.stage);
        const state = here ? "here" : !isBefore ? "after" : visited.has(id) ? "before" : "skipped";
        const tint = here && color ? `var(--mantine-color-${color}-6)` : undefined;
        return (
          <li
            key={id}
            className={classes.stage}
            data-state={state}
            aria-current={here ? "step" : undefined}
            style={tint === undefined ? undefined : { borderBlockStartColor: tint }}
          >
            <span dir="auto">{name}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** What one could do if the record were otherwise, and what it lacks. */
function NotYet({ workflow, recordTypeKey }: Pick<StagesProps, "workflow" | "recordTypeKey">) {
  const { t } = useTranslation();
  const formats = useFormats();
  const held = workflow.transitions.filter(({ possible }) => !possible);
  const { data: schema } = useQuery({ ...schemaQuery(recordTypeKey), enabled: held.length > 0 });
  // It waits for one who can do nothing: why, once.
  const isStuck = workflow.is_my_turn && workflow.transitions.length === 0;
  const reasons = isStuck ? [...new Set(workflow.blocked.map(({ reason }) => reason))] : [];
  if (reasons.length > 0) {
    return (
      <ul className={classes.notYet} aria-label={t("workflow.not_yet")}>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    );
  }
  if (held.length === 0 || schema === undefined) return null;
  return (
    <ul className={classes.notYet} aria-label={t("workflow.not_yet")}>
      {held.map(({ name, label, condition }) => {
        const words = conditionWords(condition ?? "", schema.fields, t, formats);
        return (
          <li key={name}>
            {words === undefined
              ? t("workflow.not_yet_plain", { label })
              : t("workflow.not_yet_until", { label, condition: words })}
          </li>
        );
      })}
    </ul>
  );
}

function Waiting({ workflow }: { readonly workflow: WireWorkflow }) {
  const { t } = useTranslation();
  const age = useAge(workflow.since);
  const { actors, agreed, is_my_turn: mine } = workflow;
  const said = [
    !mine && actors.length > 0 && t("workflow.waits_for", { names: actors.join(", ") }),
    agreed.length > 0 && t("workflow.agreed", { names: agreed.join(", ") }),
    age !== undefined && t("workflow.since", { age }),
  ].filter((part) => part !== false);
  return (
    <Text size="sm" c="dimmed" className={classes.waiting ?? ""}>
      {mine && <strong>{t("workflow.your_turn")}</strong>}
      {mine && said.length > 0 && " · "}
      {said.join(" · ")}
    </Text>
  );
}
