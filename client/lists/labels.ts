// Labels that come as values of records (names of list views, stages), in the reader's language.
import type { Call } from "../transport/transport.ts";

interface LabelsBody {
  readonly data: { readonly labels: Readonly<Record<string, string>> };
}

/** By the label as it was written. */
export const readLabels = async (call: Call, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> =>
  new Map(Object.entries((await call<LabelsBody>("core/translations/labels", { signal })).data.labels));
