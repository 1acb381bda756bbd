// How fast each list view was over the last week against its budget, and the index that would help: whoever may design has it
// built from here, sees how far it is, and can remove it again. And the indexes that the service built by itself.
import { Anchor, Skeleton, Text } from "@mantine/core";
import { IconGauge } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AutomaticIndex, ViewBudget, ViewBudgets } from "../../../client/lists/budgets.ts";
import { useFormats } from "../../fields/formats.ts";
import { useRowFocus } from "../../parts/controls/use-row-focus.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { FactsTable, RowAction } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { Tag } from "../../parts/layout/tag.tsx";
import { client } from "../../session/session.ts";
import { budgetState } from "./budget-state.ts";
import classes from "./speed-part.module.css";
import { useChange } from "./use-change.ts";

const BUDGETS = "view-budgets";
const LOOK_MS = 2_000;

const isMoving = (index: Pick<AutomaticIndex, "state"> | ViewBudget["index"]): boolean =>
  index?.state === "building" || index?.state === "removing";

const hasMoving = ({ views, automatic }: ViewBudgets): boolean =>
  views.some(({ index }) => isMoving(index)) || automatic.some(isMoving);

/** Queries of programs and of the app's own small lists are of interest where they are slow. */
const isWorthALine = (view: ViewBudget): boolean => view.id !== "" || view.is_over === 1 || view.index !== null;

export function SpeedPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: [BUDGETS],
    queryFn: ({ signal }) => client.views.readBudgets(signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && hasMoving(state.data) ? LOOK_MS : false),
  });
  const automatic = query.data?.automatic ?? [];
  const onPress = useRowFocus();
  return (
    <>
      <Section title={t("admin.part_speed")} lead={t("speed.lead")}>
        <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
          {({ views, budget_ms: budget }) => {
            const shown = views.filter(isWorthALine);
            if (shown.length > 0) return <Budgets views={shown} budget={budget} />;
            return <EmptyState icon={IconGauge} title={t("speed.none")} text={t("speed.none_lead")} small />;
          }}
        </Loaded>
      </Section>
      {automatic.length > 0 && (
        <Section title={t("speed.automatic_title")} lead={t("speed.automatic_lead")}>
          <AutomaticIndexes indexes={automatic} onPress={onPress} />
        </Section>
      )}
    </>
  );
}

interface AutomaticIndexesProps {
  readonly indexes: readonly AutomaticIndex[];
  readonly onPress: () => void;
}

function AutomaticIndexes({ indexes, onPress }: AutomaticIndexesProps) {
  const { t } = useTranslation();
  return (
    <FactsTable
      label={t("speed.automatic_title")}
      columns={[t("speed.field"), t("speed.since"), t("admin.state"), t("admin.actions")]}
    >
      {indexes.map((index) => (
        <AutomaticLine key={`${index.controller} ${index.field}`} index={index} onPress={onPress} />
      ))}
    </FactsTable>
  );
}

function AutomaticLine({ index, onPress }: { readonly index: AutomaticIndex; readonly onPress: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { controller, field, label: name, type } = index;
  const keep = useChange({
    run: () => client.design.keepIndex(controller, field),
    done: t("speed.kept", { name }),
    refresh: [BUDGETS],
  });
  const remove = useChange({
    run: () => client.design.removeIndex(controller, field),
    done: t("speed.removed", { name }),
    refresh: [BUDGETS],
  });
  const press = (change: typeof keep): void => {
    onPress();
    change.mutate(undefined);
  };
  return (
    <tr>
      <th scope="row">
        {name}
        <div className={classes.type}>{type}</div>
      </th>
      <td data-label={t("speed.since")}>{formats.dateTime(index.since)}</td>
      <td data-label={t("admin.state")}>
        <IndexState index={index} />
        {index.failure !== null && (
          <Text size="xs" c="dimmed" className={classes.failure}>
            {index.failure}
          </Text>
        )}
      </td>
      <td>
        {index.state === "ready" && (
          <RowAction label={t("speed.keep_name", { name, type })} loading={keep.isPending} onClick={() => press(keep)}>
            {t("speed.keep")}
          </RowAction>
        )}
        {index.state !== "removing" && (
          <RowAction
            label={t("speed.remove_of_name", { name, type })}
            loading={remove.isPending}
            onClick={() => press(remove)}
          >
            {t("speed.remove")}
          </RowAction>
        )}
      </td>
    </tr>
  );
}

function IndexState({ index: { state, progress } }: { readonly index: Pick<AutomaticIndex, "state" | "progress"> }) {
  const { t } = useTranslation();
  if (state === "building") return <Tag tone="word">{t("speed.building", { percent: progress ?? 0 })}</Tag>;
  const tone = { removing: "word", ready: "good", failed: "bad" } as const;
  return <Tag tone={tone[state]}>{t(`speed.${state}`)}</Tag>;
}

function Budgets({ views, budget }: { readonly views: readonly ViewBudget[]; readonly budget: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const over = views.filter((view) => view.is_over === 1).length;
  const state = budgetState(views, budget);
  const time = (ms: number) => t("speed.ms", { ms: formats.count(ms) });
  return (
    <>
      <Text size="sm" c="dimmed" role="status" mb="sm">
        {state === "some_over"
          ? t("speed.some_over", { count: over, replace: { count: formats.count(over), ms: formats.count(budget) } })
          : t(`speed.${state}`, { ms: formats.count(budget) })}
      </Text>
      <FactsTable
        label={t("admin.part_speed")}
        columns={[t("speed.view"), t("speed.lists"), t("speed.p50"), t("speed.p95"), t("speed.index")]}
      >
        {views.map((view) => (
          <tr key={`${view.controller} ${view.id}`}>
            <th scope="row">
              <ViewName view={view} />
              <div className={classes.type}>{view.label}</div>
            </th>
            <td data-label={t("speed.lists")}>{formats.count(Number(view.lists))}</td>
            <td data-label={t("speed.p50")}>{time(view.p50_ms)}</td>
            <td data-label={t("speed.p95")}>
              <span className={classes.time} data-over={view.is_over === 1 || undefined}>
                {time(view.p95_ms)}
                <span className={classes.bar} aria-hidden="true">
                  <span style={{ inlineSize: `${Math.min(100, (50 * view.p95_ms) / budget)}%` }} />
                </span>
                {view.is_over === 1 && <span className="visually-hidden">{t("speed.over")}</span>}
              </span>
            </td>
            <td data-label={view.index ? t("speed.index") : undefined}>
              <IndexCell view={view} />
            </td>
          </tr>
        ))}
      </FactsTable>
    </>
  );
}

function ViewName({ view }: { readonly view: ViewBudget }) {
  const { t } = useTranslation();
  if (view.id === "") return t("speed.custom");
  if (view.name === null) return t("speed.private");
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/${view.controller}/index?view=${view.id}`} />}>
      {view.name}
    </Anchor>
  );
}

function IndexCell({ view }: { readonly view: ViewBudget }) {
  const { t } = useTranslation();
  const { controller, index } = view;
  const name = index?.label ?? "";
  const build = useChange({
    run: (field: string) => client.design.buildIndex(controller, field),
    done: t("speed.started", { name }),
    refresh: [BUDGETS],
  });
  const remove = useChange({
    run: (field: string) => client.design.removeIndex(controller, field),
    done: t("speed.removed", { name }),
    refresh: [BUDGETS],
  });
  if (!index) return null;
  const { state } = index;
  return (
    <div className={classes.index}>
      <span>{index.label}</span>
      {state !== null && <IndexState index={{ ...index, state }} />}
      {index.automatic === 1 && <Tag tone="word">{t("speed.automatic")}</Tag>}
      {index.may_build === 1 && (
        <RowAction
          label={t("speed.build_name", { name, view: view.name || t("speed.custom") })}
          loading={build.isPending}
          onClick={() => build.mutate(index.field)}
        >
          {state === "failed" ? t("speed.again") : t("speed.build")}
        </RowAction>
      )}
      {(state === "ready" || state === "failed") && index.may_remove === 1 && (
        <RowAction
          label={t("speed.remove_name", { name, view: view.name || t("speed.custom") })}
          loading={remove.isPending}
          onClick={() => remove.mutate(index.field)}
        >
          {t("speed.remove")}
        </RowAction>
      )}
      {state === null && index.may_build === 0 && (
        <Text size="xs" c="dimmed">
          {index.may_remove === 1 ? t("speed.full") : t("speed.ask")}
        </Text>
      )}
      {index.failure !== null && (
        <Text size="xs" c="dimmed" className={classes.failure}>
          {index.failure}
        </Text>
      )}
    </div>
  );
}
