// Takes the columns of a file and what a record type has; proposes where each column goes: by what was chosen last time, by name,
// by label or by another name. No place is proposed twice. Pure.

import type { Caller } from "../../access/caller.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { labelOf, partsOf, referenceOf, type Target, targetOf } from "./targets.ts";

export interface Proposal {
  readonly column: string;
  readonly target: string | null;
  /** What it was found by. */
  readonly by: "last" | "name" | "label" | null;
}

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** What people call the same thing. */
const alike: Readonly<Record<string, string>> = {
  surname: "lastname",
  mail: "email",
  emailaddress: "email",
  telephone: "phone",
  zipcode: "zip",
  postalcode: "zip",
  companyname: "company",
};

export function proposeMapping(
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  columns: readonly string[],
  targets: readonly Target[],
  last: ReadonlyMap<string, string>,
): readonly Proposal[] {
  const byName = new Map<string, string>();
  const byLabel = new Map<string, string>();
  const put = (map: Map<string, string>, name: string, path: string): void => {
    const key = plain(name);
    if (key !== "" && !map.has(key)) map.set(key, path);
  };
  for (const target of targets) {
    // A whole address in one cell cannot be taken apart.
    if (target.part === undefined && partsOf(target.field).length > 0) continue;
    put(byName, target.path, target.path);
    put(byLabel, labelOf(target), target.path);
    // What an export writes beside what a reference is called.
    if (referenceOf(snapshot, target)) put(byLabel, `${labelOf(target)} id`, target.path);
  }
  for (const [alias, name] of type.fieldAliases)
    if (byName.has(plain(name))) put(byName, alias, byName.get(plain(name)) ?? name);
  const taken = new Set<string>();
  const found = columns.map((column): Proposal => {
    const target = last.get(column);
    if (target === undefined || targetOf(snapshot, type, caller, target) === undefined)
      return { column, target: null, by: null };
    taken.add(target);
    return { column, target, by: "last" };
  });
  // An id says more than a name: it goes first, and the name beside it nowhere.
  const order = found.map((_, index) => index).sort((a, b) => Number(isId(columns[b])) - Number(isId(columns[a])));
  for (const index of order) {
    const proposal = found[index];
    if (!proposal || proposal.target !== null) continue;
    const key = plain(withoutAlias(type, proposal.column));
    const candidates = [
      ["name", byName.get(key) ?? byName.get(alike[key] ?? "")],
      ["label", byLabel.get(key) ?? byLabel.get(alike[key] ?? "")],
    ] as const;
    for (const [by, target] of candidates) {
      if (target === undefined || taken.has(target)) continue;
      taken.add(target);
      found[index] = { column: proposal.column, target, by };
      break;
    }
  }
  return found;
}

const isId = (column: string | undefined): boolean => /(?:^|[ ._])id$/iu.test(column ?? "");

/** `leads.status`, as an export in JSON says it. */
const withoutAlias = (type: RecordType, column: string): string =>
  column.startsWith(`${type.alias}.`) ? column.slice(type.alias.length + 1) : column;
