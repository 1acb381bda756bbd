// What waits for the reader in all record types, longest first; one type at a time where there are many.

import { Button, Skeleton, UnstyledButton } from "@mantine/core";
import { IconChecklist, IconCircleCheck } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { WaitingRecord } from "../../../client/records/workflow.ts";
import { useFormats } from "../../fields/formats.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Face } from "../../parts/layout/face.tsx";
import { FailureState } from "../../parts/layout/failure-state.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { RecordMark } from "../../parts/shell/record-mark.tsx";
import { useAge } from "../../parts/use-age.ts";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { myWorkQuery } from "../../queries.ts";
import classes from "./my-work-screen.module.css";

export function MyWorkScreen() {
  const { t } = useTranslation();
  const { controller } = useSearch({ from: "/inside/core/workflows/my_work" });
  const navigate = useNavigate({ from: "/core/workflows/my_work" });
  const query = useInfiniteQuery(myWorkQuery(controller));
  usePageTitle(t("work.title"));
  const [first] = query.data?.pages ?? [];
  const records = query.data?.pages.flatMap((page) => page.records) ?? [];
  const all = first?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const choose = (next: string | undefined): void =>
    void navigate({ search: next === undefined ? {} : { controller: next }, replace: true });
  return (
    <>
      <PageHead title={t("work.title")} lead={t("work.lead")} icon={<IconChecklist size={20} />} />
      {query.isPending && <WorkSkeleton />}
      {query.isError && <FailureState error={query.error} retry={() => void query.refetch()} />}
      {first && all === 0 && <EmptyState icon={IconCircleCheck} title={t("work.empty")} text={t("work.empty_lead")} />}
      {first && all > 0 && (
        <>
          <nav className={classes.kinds} aria-label={t("work.kinds")}>
            <Kind
              label={t("work.all")}
              count={all}
              chosen={controller === undefined}
              onChoose={() => choose(undefined)}
            />
            {first.counts.map((one) => (
              <Kind
                key={one.controller}
                label={one.label}
                count={one.count}
                chosen={controller === one.controller}
                onChoose={() => choose(one.controller)}
              />
            ))}
          </nav>
          <ul className={classes.list}>
            {records.map((record) => (
              <Waiting key={`${record.controller} ${record.id}`} record={record} />
            ))}
          </ul>
          {query.hasNextPage && (
            <Button
              variant="subtle"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t("history.more")}
            </Button>
          )}
        </>
      )}
    </>
  );
}

function WorkSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.kinds}>
        {[64, 92, 80].map((width) => (
          <Skeleton key={width} h={26} w={width} radius="md" />
        ))}
      </div>
      <div className={classes.list}>
        {Array.from({ length: 8 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
          <div key={row} className={classes.row}>
            <Skeleton h={16} w={16} />
            <Skeleton h={10} w={`${50 + ((row * 29) % 40)}%`} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Kind(props: {
  readonly label: string;
  readonly count: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}) {
  const { label, count, chosen, onChoose } = props;
  const formats = useFormats();
  return (
    <UnstyledButton className={classes.choice ?? ""} aria-pressed={chosen} onClick={onChoose}>
      {label} <span>{formats.count(count)}</span>
    </UnstyledButton>
  );
}

function Waiting({ record }: { readonly record: WaitingRecord }) {
  const { t } = useTranslation();
  const age = useAge(record.stage_since);
  const [module = "", controller = ""] = record.controller.split("/");
  return (
    <li>
      <Link
        to="/$module/$controller/view"
        params={{ module, controller }}
        search={{ id: record.id }}
        className={classes.row}
      >
        <RecordMark name={record.record_display_name ?? ""} icon={record.icon} />
        <span className={classes.name} dir="auto">
          {record.record_display_name ?? t("list.unnamed")}
        </span>
        <span className={classes.kind}>{record.singular}</span>
        <span className={classes.stage}>{record.__current_stage}</span>
        <span className={classes.owner}>
          {record.__owned_by && <Face name={record.__owned_by} shape="round" size={18} />}
          {record.__owned_by}
        </span>
        <span className={classes.age}>{age}</span>
      </Link>
    </li>
  );
}
