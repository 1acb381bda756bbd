// Takes drafts; finds references to records that the field's designer does not allow. Checked only if the reference changes, or a
// field of the record that its choices depend on, so a new limit does not block work on existing records.
import { evaluateFormula } from "../../../contract/formula/evaluate-formula.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead, wall } from "../../access/visibility.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { instant, localDay } from "../../lib/instant.ts";
import { OWN, type RecordChoices } from "../../metadata/rules/record-choices.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { type Draft, isChangedField } from "./draft.ts";

interface Chosen {
  readonly draft: Draft;
  readonly name: string;
  readonly choices: RecordChoices;
  readonly id: string;
  /** It names what it named before: only a field that its choices depend on changes. */
  readonly isKept: boolean;
}

/** Adds to the errors of the drafts. `later`: fields that are filled in once the record's workflow has made other records. */
export async function checkChoices(
  work: Work,
  drafts: readonly Draft[],
  later: (draft: Draft) => ReadonlySet<string>,
): Promise<void> {
  const chosen = drafts.flatMap((draft) => chosenIn(draft, later(draft)));
  if (chosen.length === 0) return;
  const { caller } = work;
  const moments = momentsOf(caller);
  const rows = await readTargets(work, chosen);
  for (const { draft, name, choices, id, isKept } of chosen) {
    const target = rows.get(`${choices.target} ${id}`);
    // That it is not there is told already. And of a record that they may not read nobody finds out values by trying others beside it.
    if (!target || (isKept && !target.isReadable)) continue;
    const { row } = target;
    const read = (one: string) =>
      one.startsWith(OWN) ? draft.after[one.slice(OWN.length)] : (moments[one] ?? row[one]);
    if (evaluateFormula(choices.checked, read) === true) continue;
    const { type, plan, errors } = draft;
    const { visible } = fieldMask(type, caller);
    const labelOf = (one: string): string => type.field.get(one)?.label ?? one;
    const fields = [...choices.own].filter((one) => visible.has(one)).map(labelOf);
    const key = visible.has(name) ? `${plan.path}.${name}` : plan.path;
    const said =
      fields.length === 0
        ? say("not_a_choice", { field: labelOf(name) })
        : say("not_a_choice_here", { field: labelOf(name), fields });
    errors[key] = [...(errors[key] ?? []), said];
  }
}

/** What the formulas know beside fields. */
export function momentsOf({ timeZone, userId }: Caller): Readonly<Record<string, string>> {
  const now = new Date();
  return { "today()": localDay(now, timeZone), "now()": instant(now), "me()": userId };
}

function chosenIn(draft: Draft, unknown: ReadonlySet<string>): Chosen[] {
  const { type, operation, after, before, errors, plan } = draft;
  if (type.choices.size === 0 || operation === "delete") return [];
  return [...type.choices].flatMap(([name, choices]) => {
    const id = after[name];
    const judged = [name, ...choices.own];
    if (id == null || judged.some((one) => unknown.has(one) || errors[`${plan.path}.${one}`])) return [];
    const changes = (one: string): boolean => {
      const field = type.field.get(one);
      return field !== undefined && isChangedField(draft, field);
    };
    const isKept = before !== undefined && !changes(name);
    return before === undefined || judged.some(changes) ? [{ draft, name, choices, id, isKept }] : [];
  });
}

interface Target {
  readonly row: ColumnValues;
  readonly isReadable: boolean;
}

/** What the formulas ask of the records, by type and id. Whether the caller may choose them is asked elsewhere. */
async function readTargets(
  { transaction, snapshot, caller }: Work,
  chosen: readonly Chosen[],
): Promise<ReadonlyMap<string, Target>> {
  const rows = new Map<string, Target>();
  for (const key of new Set(chosen.map(({ choices }) => choices.target))) {
    const type = requireType(snapshot, key);
    const asked = chosen.filter(({ choices }) => choices.target === key);
    const names = [...new Set(asked.flatMap(({ choices }) => [...choices.theirs]))];
    const columns = names.map((name) => sql`${ident("r", name)}::text`);
    const found = await transaction.prepared(sql`
      select r.id::text, ${mayRead(caller, type, "r", "few")}::integer::text, ${join(columns)} from ${ident(type.table)} r
      where r.id = any(${[...new Set(asked.map(({ id }) => id))]}::${idTypeOf(type)}[]) and ${wall(caller, type, "r")}`);
    for (const [id, isReadable, ...texts] of found) {
      const row = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? null]));
      rows.set(`${key} ${id}`, { row, isReadable: isReadable === "1" });
    }
  }
  return rows;
}
