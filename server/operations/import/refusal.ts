// What an import that is all or nothing answers where something of it cannot be: every fault, and nothing saved.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { type Language, writeAll, writeByField } from "../../../contract/texts/write.ts";
import type { ChunkOutcome } from "../../jobs/job.ts";

export function refusal({ failed, faults = [] }: ChunkOutcome, total: number, language: Language): Failure {
  const reason = say("bulk_not_all", { failed: Object.keys(failed).length, total });
  return new Failure("bulk_refused", {
    with: { reason },
    errors: Object.values(failed).flat().slice(0, 20),
    body: {
      data: {
        failed: writeByField(failed, language),
        faults: faults
          .slice(0, 100)
          .map(({ reasons, ...fault }) => ({ ...fault, reasons: writeAll(reasons, language) })),
      },
    },
  });
}
