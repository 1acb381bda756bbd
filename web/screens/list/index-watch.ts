// What is asked for while an index is being built: whoever may design sees how far it is, others see the list without the notice
// once it is ready. Pure.
import type { ListNotice } from "../../../client/lists/lists.ts";

const PROGRESS_MS = 1_500;
const LIST_MS = 30_000;

export interface IndexWatch {
  readonly isAwaited: boolean;
  /** In milliseconds; false: never. */
  readonly progressEvery: number | false;
  readonly listEvery: number | false;
}

export function indexWatch(notice: Pick<ListNotice, "state" | "may_design">, isAskedFor: boolean): IndexWatch {
  const isAwaited = notice.state === "building" || isAskedFor;
  const mayDesign = notice.may_design === 1;
  return {
    isAwaited,
    progressEvery: isAwaited && mayDesign && PROGRESS_MS,
    listEvery: isAwaited && !mayDesign && LIST_MS,
  };
}
