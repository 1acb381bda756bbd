// "Show as": the kind of the view and what it is made by. Every choice is a draft of the view, in the address; nothing is
// saved until somebody saves it.
import { Popover, Select, Stack, UnstyledButton } from "@mantine/core";
import { IconPalette } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { ListDraft } from "../../client/lists/list-draft.ts";
import { type ViewKind, viewKinds } from "../../contract/view-kinds.ts";
import { periods } from "./drawing/slice-condition.ts";
import { ViewIcon } from "./index.tsx";
import classes from "./show-as.module.css";
import {
  aggregates,
  betters,
  datesOf,
  fieldsFor,
  isDated,
  isPossible,
  needsMeasure,
  numbersOf,
  readShowAs,
  type ShowAs as Shown,
  writeShowAs,
} from "./show-as-draft.ts";

interface ShowAsProps {
  readonly schema: RecordTypeSchema;
  readonly kind: ViewKind;
  /** The view as it is shown, and the way to change that. */
  readonly draft: {
    readonly query: ListDraft;
    readonly saved: { readonly query: ListDraft } | undefined;
    readonly isReady: boolean;
    change(next: (query: ListDraft) => ListDraft): void;
  };
}

export function ShowAs({ schema, kind, draft }: ShowAsProps) {
  const { t } = useTranslation();
  const now = draft.query;
  const shown = readShowAs(kind, now, schema);
  const show = (next: Shown): void =>
    draft.change((query) => writeShowAs(next, query, draft.saved?.query ?? {}, schema));
  const dataOf = (fields: ReturnType<typeof fieldsFor>) =>
    fields.map(({ column_name, label }) => ({ value: column_name, label }));
  const isBoard = kind === "kanban";
  const numbers = numbersOf(schema, isBoard ? "sum" : shown.aggregate);
  return (
    <Popover position="bottom-end" shadow="md" width={300} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.open ?? ""} disabled={!draft.isReady} aria-label={t("show_as.title")}>
          <IconPalette size={15} stroke={1.6} aria-hidden="true" />
          <span>{t("show_as.title")}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <div className={classes.kinds} role="radiogroup" aria-label={t("show_as.title")}>
            {viewKinds.map((one) => (
              // biome-ignore lint/a11y/useSemanticElements: a picture of each kind, not a dot
              <button
                key={one}
                type="button"
                role="radio"
                aria-checked={one === kind}
                disabled={!isPossible(one, schema)}
                onClick={() => show(readShowAs(one, now, schema))}
              >
                <ViewIcon kind={one} />
                {t(`show_as.kinds.${one}`)}
              </button>
            ))}
          </div>
          {fieldsFor(kind, schema).length > 0 && (
            <Select
              size="xs"
              label={t(isBoard ? "show_as.lanes" : kind === "calendar" ? "show_as.date" : "show_as.by")}
              data={dataOf(fieldsFor(kind, schema))}
              value={shown.by ?? null}
              allowDeselect={false}
              searchable
              comboboxProps={{ withinPortal: false }}
              onChange={(by) => show({ ...shown, by: by ?? undefined })}
            />
          )}
          {needsMeasure(shown, schema) && isDated(schema, shown.by) && (
            <Select
              size="xs"
              label={t("show_as.period")}
              data={periods.map((period) => ({ value: period, label: t(`show_as.periods.${period}`) }))}
              value={shown.period}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(chosen) => show({ ...shown, period: periods.find((one) => one === chosen) ?? "month" })}
            />
          )}
          {needsMeasure(shown, schema) && (
            <Select
              size="xs"
              label={t("show_as.measure")}
              data={aggregates
                .filter((one) => one === "count" || numbersOf(schema, one).length > 0)
                .map((one) => ({ value: one, label: t(`show_as.aggregates.${one}`) }))}
              value={shown.aggregate}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(chosen) => {
                const aggregate = aggregates.find((one) => one === chosen) ?? "count";
                const possible = numbersOf(schema, aggregate).map(({ column_name }) => column_name);
                show({ ...shown, aggregate, of: possible.find((column) => column === shown.of) ?? possible[0] });
              }}
            />
          )}
          {((needsMeasure(shown, schema) && shown.aggregate !== "count") || isBoard) && numbers.length > 0 && (
            <Select
              size="xs"
              label={t(isBoard ? "show_as.worth" : "show_as.of")}
              data={dataOf(numbers)}
              value={shown.of || null}
              allowDeselect={isBoard}
              clearable={isBoard}
              clearButtonProps={{ "aria-label": t("actions.clear") }}
              comboboxProps={{ withinPortal: false }}
              // Without a setting, a board sums its first amount; an empty string means none.
              onChange={(of) => show({ ...shown, of: of ?? (isBoard ? "" : undefined) })}
            />
          )}
          {needsMeasure(shown, schema) && !isDated(schema, shown.by) && datesOf(schema).length > 0 && (
            <Select
              size="xs"
              label={t("show_as.date")}
              description={t(kind === "number" ? "show_as.compared_lead" : "show_as.dated_lead")}
              data={dataOf(datesOf(schema))}
              value={shown.date ?? null}
              clearable
              searchable
              clearButtonProps={{ "aria-label": t("actions.clear") }}
              comboboxProps={{ withinPortal: false }}
              onChange={(date) => show({ ...shown, date: date ?? undefined })}
            />
          )}
          {kind === "number" && shown.date !== undefined && (
            <Select
              size="xs"
              label={t("show_as.better")}
              data={betters.map((one) => ({ value: one, label: t(`show_as.betters.${one}`) }))}
              value={shown.better ?? "higher"}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(chosen) => show({ ...shown, better: betters.find((one) => one === chosen) })}
            />
          )}
          {isBoard && numbers.length > 1 && (
            <Select
              size="xs"
              label={t("show_as.also")}
              data={dataOf(numbers.filter(({ column_name }) => column_name !== shown.of))}
              value={shown.also ?? null}
              clearable
              clearButtonProps={{ "aria-label": t("actions.clear") }}
              comboboxProps={{ withinPortal: false }}
              onChange={(also) => show({ ...shown, also: also ?? undefined })}
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
