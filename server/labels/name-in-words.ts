// Takes the type and the name of a record; gives the name as readers see it: those of stages are labels (they ship, or an
// organization has translated them), all others are what somebody wrote.
import type { Snapshot } from "../metadata/snapshot.ts";

export const nameInWords = ({ words }: Pick<Snapshot, "words">, type: string, name: string | null): string | null =>
  name === null || type !== "core/workflow_nodes" ? name : words(name);
