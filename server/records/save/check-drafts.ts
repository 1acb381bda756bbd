// Takes drafted records; returns those that cannot be saved, each with all its errors: files, references, unique values,
// the type's own checks, and possible duplicates.

import { Failure } from "../../../contract/failures.ts";
import type { Message } from "../../../contract/messages.ts";
import { echo } from "../../request/echo.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { changedFields } from "../read/record-row.ts";
import { checkChildStages } from "../workflow/child-stages.ts";
import { fieldsSetLater } from "../workflow/run-effects.ts";
import { checkChoices } from "./check-choices.ts";
import { mayHaveDuplicates, refuseDuplicates } from "./check-duplicates.ts";
import { checkReferences } from "./check-references.ts";
import { checkRules } from "./check-rules.ts";
import { checkUnique, explainViolation } from "./check-unique.ts";
import type { Draft } from "./draft.ts";
import { type DraftedRecord, looksForDuplicates, type Saving } from "./draft-records.ts";
import { checkFiles } from "./uploads.ts";

const noFields: ReadonlySet<string> = new Set();

const draftsOf = ({ main, children }: DraftedRecord): readonly Draft[] => [main, ...children];

export async function checkDrafts(
  work: Work,
  saving: Saving,
  records: readonly DraftedRecord[],
): Promise<ReadonlyMap<DraftedRecord, Failure>> {
  const drafts = records.flatMap(draftsOf);
  await checkChildStages(work, drafts);
  await checkFiles(work, drafts);
  await checkReferences(work.transaction, work.snapshot, work.caller, drafts);
  const taken = await checkUnique(work.transaction, work.caller, drafts);
  for (const draft of taken.keys()) await explainTaken(work, draft);
  const isSent = saving.operation !== "revert" && saving.operation !== "undo";
  for (const draft of drafts) if (hooksOf(work, draft.type).check) await checkByHooks(work, draft, isSent);
  const stepOf = new Map(records.flatMap(({ main, step }) => (step ? [[main, fieldsSetLater(step)] as const] : [])));
  const later = (draft: Draft) => stepOf.get(draft) ?? noFields;
  await checkChoices(work, drafts, later);
  checkRules(work, drafts, later);
  const refused = new Map<DraftedRecord, Failure>();
  const alike = looksForDuplicates(saving) ? await mayHaveDuplicates(work, saving.grant.type, records) : undefined;
  for (const record of records) {
    const failure =
      faultsOf(record, taken) ??
      (alike?.has(record) ? await refuseDuplicates(work, record.main, draftsOf(record), record.plan.sent) : undefined);
    if (failure) refused.set(record, failure);
  }
  return refused;
}

/** The same errors, in the type's own words where it has some. */
async function explainTaken(work: Work, draft: Draft): Promise<void> {
  const { type, id, operation, before, after } = draft;
  const said = await hooksOf(work, type).taken?.(work, { type, id, operation, before, after });
  for (const [name, messages] of Object.entries(said ?? {})) {
    const path = `${draft.plan.path}.${name}`;
    if (draft.errors[path]) draft.errors[path] = [...messages];
  }
}

async function checkByHooks(work: Work, draft: Draft, isSent: boolean): Promise<void> {
  const { type, id, operation, before, after, association } = draft;
  const sent = isSent ? draft.plan.values : undefined;
  const { check } = hooksOf(work, type);
  // Who sends a record as it was shown sends its children too: what does not change is not judged.
  const isUnchanged = () => before !== undefined && changedFields(type, before, after).length === 0;
  if (!check || (association && operation === "edit" && isUnchanged())) return;
  const found = await check(work, { type, id, operation, before, after, sent });
  for (const [name, said] of Object.entries(found)) {
    draft.errors[`${draft.plan.path}.${name}`] ??= [...said];
  }
}

function isNothing(errors: object): boolean {
  for (const _ in errors) return false;
  return true;
}

/** `taken`: the drafts with values that another record has already, and how many. */
function faultsOf(record: DraftedRecord, taken: ReadonlyMap<Draft, number>): Failure | undefined {
  const drafts = draftsOf(record);
  if (drafts.every(({ errors }) => isNothing(errors))) return undefined;
  const byField = Object.assign({}, ...drafts.map((draft) => draft.errors));
  const faults = Object.values<Message[]>(byField).flat();
  const [reason, ...errors] = faults;
  if (reason === undefined) return undefined;
  const body = { data: { [record.main.type.alias]: echo(record.plan.sent) } };
  if (faults.length === drafts.reduce((sum, draft) => sum + (taken.get(draft) ?? 0), 0)) {
    return new Failure("conflict", { with: { reason }, errors, byField, body });
  }
  return new Failure("invalid", { errors: faults, byField, body });
}

/** What slipped through between looking and writing, in the same words; undefined for errors of another kind. */
export function explained(error: unknown, records: readonly DraftedRecord[]): Failure | undefined {
  for (const record of records) {
    const draft = explainViolation(error, draftsOf(record), record.plan.write.grant.caller);
    if (draft) return faultsOf(record, new Map([[draft, 1]]));
  }
  return undefined;
}
