// Takes the columns of a file and what a record type has; proposes where each column goes: by what was chosen last time, by name,
// by label (in any language) or by another name. No place is proposed twice. Pure.

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

/** Usual other names of fields. */
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
  /** The same design with the labels of every language. */
  wordings: readonly Snapshot[] = [],
): readonly Proposal[] {
  const byName = new Map<string, string>();
  const byLabel = new Map<string, string>();
  const put = (map: Map<string, string>, name: string, path: string): void => {
    const key = plain(name);
    if (key !== "" && !map.has(key)) map.set(key, path);
  };
  const places = targets
    // An address takes a column for each of its parts, never one for all of them.
    .filter(({ field, part }) => part !== undefined || partsOf(field).length === 0)
    .flatMap((target) => [target, ...oneForEachRow(snapshot, type, caller, target)]);
  for (const { path } of places) put(byName, path, path);
  // The caller's own language comes first: the same word can mean another field in another language.
  for (const wording of [snapshot, ...wordings]) {
    const own = wording.types.get(type.key);
    for (const { path } of places) {
      const each = own && targetOf(wording, own, caller, path);
      if (!each) continue;
      put(byLabel, labelOf(each), path);
      // An export writes a reference as two columns: `Company` and `Company id`.
      if (referenceOf(wording, each)) put(byLabel, `${labelOf(each)} id`, path);
    }
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
  // Ids go first: where a file has both the id and the name of a reference, the id is mapped.
  const order = found.map((_, index) => index).sort((a, b) => Number(isId(columns[b])) - Number(isId(columns[a])));
  for (const index of order) {
    const proposal = found[index];
    if (!proposal || proposal.target !== null) continue;
    const { text, position } = numbered(withoutAlias(type, proposal.column));
    const key = plain(text);
    const placed = (path: string | undefined): string | undefined => {
      if (path === undefined || position === undefined) return path;
      const own = path.replace(/\.1\./u, `.${position}.`);
      return targetOf(snapshot, type, caller, own)?.path;
    };
    const candidates = [
      ["name", placed(byName.get(key) ?? byName.get(alike[key] ?? ""))],
      ["label", placed(byLabel.get(key) ?? byLabel.get(alike[key] ?? ""))],
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

/** `addresses.city` beside `addresses.1.city`: one child of each row, as an export writes them. */
function oneForEachRow(snapshot: Snapshot, type: RecordType, caller: Caller, { path, child }: Target): Target[] {
  return child ? [targetOf(snapshot, type, caller, path.replace(".1.", "."))].flatMap((one) => one ?? []) : [];
}

/** `Addresses 3: City` and `addresses.3.city` are called like those of the first, which stand for all of them. */
function numbered(column: string): { readonly text: string; readonly position: string | undefined } {
  const found = column.length > 300 ? null : /^([^\d.:]+)([ .])([1-9]\d{0,2})(\.|: ?)(\S.*)$/u.exec(column);
  if (!found) return { text: column, position: undefined };
  const [, name = "", before = "", position, after = "", rest = ""] = found;
  return { text: `${name}${before}1${after}${rest}`, position };
}

const isId = (column: string | undefined): boolean => /(?:^|[ ._])id$/iu.test(column ?? "");

/** `leads.status`, as an export in JSON says it. */
const withoutAlias = (type: RecordType, column: string): string =>
  column.startsWith(`${type.alias}.`) ? column.slice(type.alias.length + 1) : column;
