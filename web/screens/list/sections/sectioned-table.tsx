// The rows of a list, in sections where the view has them, as a table or on a phone as cards; a skeleton until it is known
// how they stand, or why that cannot be told.
import { useMediaQuery } from "@mantine/hooks";
import { type ComponentProps, lazy } from "react";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { PartBoundary } from "../../../parts/layout/missing-part.tsx";
import type { GroupBy } from "../group/grouping.ts";
import { ListSkeleton } from "../list-skeleton.tsx";
import { RecordTable } from "../table/record-table.tsx";
import { useSections } from "./use-sections.ts";

const RecordCards = lazy(async () => ({ default: (await import("../cards/record-cards.tsx")).RecordCards }));

interface SectionedTableProps extends Omit<ComponentProps<typeof RecordTable>, "sections"> {
  readonly by: GroupBy | undefined;
}

export function SectionedTable({ by, ...props }: SectionedTableProps) {
  const { schema, choice, head, columns } = props;
  const isPhone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false });
  const { sections, isAwaited, failure } = useSections({ schema, choice, head, columns, by });
  if (failure) return <FailureState {...failure} />;
  if (isAwaited) return <ListSkeleton bodyOnly />;
  // Groups are no records: they stay a table.
  if (!isPhone || head.group.length > 0) return <RecordTable {...props} sections={sections} />;
  return (
    <PartBoundary fallback={<ListSkeleton bodyOnly />}>
      <RecordCards {...props} sections={sections} />
    </PartBoundary>
  );
}
