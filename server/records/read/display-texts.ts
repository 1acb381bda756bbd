// Takes the references that records hold; gives the display text of each, null where the caller may not read the
// record. A record that is displayed by a reference takes the text of what it refers to.
import type { AclDirectory } from "../../access/acl-directory.ts";
import type { Caller } from "../../access/caller.ts";
import type { Queryable } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { referencedBy } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import type { ReadPlan } from "../../plan/plan-read.ts";
import { compileDisplayTexts } from "../../query/display-texts.ts";
import type { DisplayNames } from "./display-names.ts";
import type { KnownPeople } from "./known-people.ts";

export type RunRows = (statement: Sql) => Promise<readonly (readonly (string | null)[])[]>;

/** Where to read: the pool's prepared statements and what is kept in memory, or within a transaction. */
export interface Reader {
  readonly db: Queryable;
  readonly run: RunRows;
  /** Undefined within a transaction: it may have changed what is remembered. */
  readonly memory:
    | { readonly names: DisplayNames; readonly directory: AclDirectory; readonly people: KnownPeople }
    | undefined;
}

export interface DisplayTexts {
  of(type: string, id: string | null): string | null;
}

/** The texts from memory, where the versions that the record's own statement saw say that they still hold. */
export async function rememberedTexts(
  memory: Reader["memory"],
  { type, caller, referenced }: Pick<ReadPlan, "type" | "caller" | "referenced">,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  [acl, ...tables]: readonly string[],
): Promise<DisplayTexts | undefined> {
  if (!memory || referenced.some(borrowsItsText)) return undefined;
  if ((await memory.directory.view(caller, type)).version !== acl) {
    memory.directory.forget(caller.organizationId, acl ?? "0");
    return undefined;
  }
  const names = new Map<string, (id: string) => string | null>();
  for (const [index, target] of referenced.entries()) {
    const some = ids.get(target.key);
    if (some) names.set(target.key, await memory.names.namesOf(caller, target, tables[index] ?? "", some));
  }
  return { of: (key, id) => (id === null ? null : (names.get(key)?.(id) ?? null)) };
}

const borrowsItsText = (type: RecordType): boolean => {
  const display = type.field.get(type.displayField);
  return display !== undefined && referencedBy(type, display) !== undefined;
};

/** How far a display field may itself be a reference. */
const MAX_STEPS = 3;

export async function readDisplayTexts(
  run: RunRows,
  snapshot: Snapshot,
  caller: Caller,
  types: readonly RecordType[],
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<DisplayTexts> {
  const texts = new Map<string, string | null>();
  let wanted = types.map((type) => ({ type, ids: [...(ids.get(type.key) ?? [])] }));
  /** `<type> <id>` → the record whose text it takes. */
  const borrowed = new Map<string, string>();
  for (let step = 0; step < MAX_STEPS && wanted.some((one) => one.ids.length > 0); step += 1) {
    const next = new Map<string, Set<string>>();
    for (const [number, id, text] of await run(compileDisplayTexts(caller, wanted))) {
      const type = wanted[Number(number)]?.type;
      if (!type || id == null) continue;
      const key = `${type.key} ${id}`;
      const display = type.field.get(type.displayField);
      const farKey = display && referencedBy(type, display);
      if (farKey === undefined || text == null) texts.set(key, text ?? null);
      else {
        borrowed.set(key, `${farKey} ${text}`);
        if (!texts.has(`${farKey} ${text}`)) next.set(farKey, (next.get(farKey) ?? new Set()).add(text));
      }
    }
    wanted = [...next].map(([key, found]) => ({ type: requireType(snapshot, key), ids: [...found] }));
  }
  const lookUp = (key: string, steps = 0): string | null => {
    const far = borrowed.get(key);
    return far !== undefined && steps < MAX_STEPS ? lookUp(far, steps + 1) : (texts.get(key) ?? null);
  };
  return { of: (type, id) => (id === null ? null : lookUp(`${type} ${id}`)) };
}
