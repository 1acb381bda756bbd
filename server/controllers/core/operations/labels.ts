// labels: every label that has a translation in the caller's language, by its text. For programs that show labels which come as values
// of records (names of list views, stages in rows); all others are translated where they are answered.
import { shippedLabels } from "../../../labels/shipped-labels.ts";
import type { Operation } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";

export const labels: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { language, glossary } = requireCaller(context);
    const all = [...shippedLabels(language), ...(glossary?.labels.get(language) ?? [])];
    return { body: { data: { language, labels: Object.fromEntries(all) } } };
  },
};
