// Takes templates, saved records and a reader; returns the texts as that reader would see each record: names instead of
// ids, labels of choices, and dates, numbers and amounts in the reader's format. Fields hidden from the reader are empty.

import {
  type Expression,
  type ExpressionScope,
  evaluateExpression,
  fieldsOfExpression,
  type Template,
} from "../../../contract/expressions.ts";
import { Failure } from "../../../contract/failures.ts";
import { type Formats, formatsOf, type Preferences } from "../../../contract/formats.ts";
import { say } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import type { Caller } from "../../access/caller.ts";
import { mayLook } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, type Sql, sql } from "../../database/sql.ts";
import { mailLanguage } from "../../mail/words.ts";
import { referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { type ColumnRef, resolveColumn } from "../../plan/column.ts";
import { columnText } from "../../query/column.ts";
import { createJoins } from "../../query/joins.ts";
import { isAmongIds } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import { readDisplayTexts } from "../read/display-texts.ts";

export interface Reader {
  /** By whose rights it is read. */
  readonly caller: Caller;
  readonly preferences: Preferences;
}

export interface Rendering {
  /** What the reader calls the record; null where it may not read it. */
  readonly name: string | null;
  readonly texts: readonly string[];
}

/** In characters: a short template can name a long field many times. */
const LONGEST_MESSAGE = 100_000;

interface Written {
  readonly id: string;
  readonly scope: Omit<ExpressionScope, "read" | "made">;
}

/** In the order of the records. */
export async function writeFor(
  work: Work,
  type: RecordType,
  records: readonly Written[],
  templates: readonly Template[],
  { caller, preferences }: Reader,
): Promise<readonly Rendering[]> {
  const expressions = templates.flat().filter((part): part is Expression => typeof part !== "string");
  const paths = [...new Set(expressions.flatMap((one) => [...fieldsOfExpression(one)])), type.displayField];
  const formats = formatsOf(preferences);
  const ids = records.map(({ id }) => id);
  const read = await readPaths(work, { type, ids }, paths, caller, preferences, formats);
  return records.map(({ id, scope }) => render(work, type, read.get(id) ?? new Map(), templates, formats, scope));
}

function render(
  work: Work,
  type: RecordType,
  values: PathValues,
  templates: readonly Template[],
  formats: Formats,
  fixed: Written["scope"],
): Rendering {
  const scope: ExpressionScope = {
    ...fixed,
    read: (path) => values.get(path)?.raw ?? null,
    made: () => null,
  };
  const shown = (one: Expression): string => {
    if (one.kind === "field") return values.get(one.field)?.shown ?? "";
    if (one.kind === "&") return (shown(one.left) + shown(one.right)).slice(0, LONGEST_MESSAGE + 1);
    if (one.kind === "call" && one.name === "me") return work.caller.fullName;
    if (one.kind === "call" && one.name === "coalesce") return one.of.map(shown).find((text) => text !== "") ?? "";
    const value = evaluateExpression(one, scope);
    if (typeof value !== "string") return "";
    if (one.kind === "call" && one.name === "now") return formats.dateTime(value);
    if (one.kind === "call") return one.name === "today" ? formats.date(value) : value;
    return one.kind === "value" ? value : formats.number(value);
  };
  const write = (template: Template): string => {
    let text = "";
    for (const part of template) {
      text += typeof part === "string" ? part : shown(part);
      if (text.length > LONGEST_MESSAGE) return `${text.slice(0, LONGEST_MESSAGE)}…`;
    }
    return text;
  };
  return { name: values.get(type.displayField)?.shown || null, texts: templates.map(write) };
}

interface PathValue {
  readonly raw: string;
  readonly shown: string;
}

type PathValues = ReadonlyMap<string, PathValue>;

interface Wanted {
  readonly path: string;
  readonly ref: ColumnRef;
  /** What the amount is in; `hidden` where the reader may not know. */
  readonly currency: ColumnRef | undefined | "hidden";
}

/** By id, then by path; what is not there, empty or not for this reader to see has no entry. */
async function readPaths(
  { transaction, snapshot }: Work,
  { type, ids }: { readonly type: RecordType; readonly ids: readonly string[] },
  paths: readonly string[],
  caller: Caller,
  preferences: Preferences,
  formats: Formats,
): Promise<ReadonlyMap<string, PathValues>> {
  if (!mayLook(caller, type.key)) return new Map();
  const scope = { snapshot, type, caller, now: new Date() };
  const find = (path: string): ColumnRef | undefined => {
    try {
      return resolveColumn(scope, path);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };
  const wanted = [...new Set(paths)].flatMap((path): Wanted[] => {
    const ref = find(path);
    const named = ref && typeOf(ref.field).currencyField?.(ref.field);
    const prefix = path.includes(".") ? path.slice(0, path.lastIndexOf(".") + 1) : "";
    return ref
      ? [{ path, ref, currency: named === undefined ? undefined : (find(`${prefix}${named}`) ?? "hidden") }]
      : [];
  });
  const joins = createJoins({ alias: "r", type }, caller);
  const texts = (one: Wanted["currency"]): Sql =>
    typeof one === "object" ? sql`(${columnText(one, joins)})::text` : sql`null::text`;
  const columns = join(wanted.flatMap(({ ref, currency }) => [texts(ref), texts(currency)]));
  const { rows } = await transaction.run(sql`
    select ${columns}, r.id::text from ${ident(type.table)} r ${joins.toSql()}
    where ${isAmongIds(type, ids)} and ${mayRead(caller, type, "r", "few")}`);
  if (rows.length === 0) return new Map();

  const shownIds = new Map<string, Set<string>>();
  for (const row of rows) {
    wanted.forEach(({ ref }, index) => {
      const [target, value] = [referencedBy(ref.type, ref.field), row[index * 2]];
      if (target !== undefined && value) shownIds.set(target, (shownIds.get(target) ?? new Set()).add(value));
    });
  }
  const types = [...shownIds.keys()].map((key) => requireType(snapshot, key));
  const names = await readDisplayTexts(
    async (statement) => (await transaction.run(statement)).rows,
    snapshot,
    caller,
    types,
    shownIds,
  );
  const currencies = await codesOf(transaction, [
    caller.currencyId ?? null,
    ...rows.flatMap((row) => wanted.map((_, index) => row[index * 2 + 1] ?? null)),
  ]);
  const language = mailLanguage(preferences.locale ?? "");
  const [yes, no] = [write(say("mail_yes"), language), write(say("mail_no"), language)];
  const valuesOf = (row: readonly (string | null)[]): [string, PathValue][] =>
    wanted.flatMap(({ path, ref, currency }, index): [string, PathValue][] => {
      const raw = row[index * 2];
      if (raw == null || raw === "") return [];
      const target = referencedBy(ref.type, ref.field);
      if (target !== undefined) return [[path, { raw, shown: names.of(target, raw) ?? "" }]];
      const code = currency === "hidden" ? undefined : currencies.get(row[index * 2 + 1] ?? caller.currencyId ?? "");
      const { field, part } = ref;
      const written =
        part === undefined ? typeOf(field).write?.(raw, field, { formats, currency: code, yes, no }) : raw;
      return [[path, { raw, shown: written ?? typeOf(field).display?.(raw, field) ?? raw }]];
    });
  return new Map(rows.map((row) => [row.at(-1) ?? "", new Map(valuesOf(row))]));
}

async function codesOf(db: Queryable, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await db.rows(sql`
    select id::text as id, code from masters__currencies where id = any(${known}::bigint[])`);
  return new Map(rows.map((row) => [row.id ?? "", row.code ?? ""]));
}
