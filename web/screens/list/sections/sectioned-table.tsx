// The rows of a list, in sections where the view has them, as a table or on a phone as cards; a skeleton until it is known
// how they stand, or why that cannot be told.
import { useMediaQuery } from "@mantine/hooks";
import { type ComponentProps, lazy } from "react";
import { useTranslation } from "react-i18next";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { PartBoundary } from "../../../parts/layout/missing-part.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import type { GroupBy } from "../group/grouping.ts";
import classes from "../list-screen.module.css";
import { ListSkeleton } from "../list-skeleton.tsx";
import { RecordTable } from "../table/record-table.tsx";
import { useSections } from "./use-sections.ts";

const RecordCards = lazy(async () => ({ default: (await import("../cards/record-cards.tsx")).RecordCards }));

interface SectionedTableProps extends Omit<ComponentProps<typeof RecordTable>, "sections"> {
  readonly by: GroupBy | undefined;
}

export function SectionedTable({ by, ...props }: SectionedTableProps) {
  const { schema, choice, head, columns } = props;
  const { t } = useTranslation();
  const isPhone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false });
  const { sections, isUnfit, isAwaited, failure } = useSections({ schema, choice, head, columns, by });
  if (failure) return <FailureState {...failure} />;
  if (isAwaited) return <ListSkeleton bodyOnly />;
  return (
    <>
      {isUnfit && (
        <div className={classes.news}>
          <Notice tone="news">{t("sections.unfit")}</Notice>
        </div>
      )}
      {/* Groups are no records: they stay a table. */}
      {!isPhone || head.group.length > 0 ? (
        <RecordTable {...props} sections={sections} />
      ) : (
        <PartBoundary fallback={<ListSkeleton bodyOnly />}>
          <RecordCards {...props} sections={sections} />
        </PartBoundary>
      )}
    </>
  );
}
