// Takes the columns of a file and what a record type has; proposes where each column goes: by what was chosen last time, by name,
// by label (in any language), by another name, or by a name with a slip in it. No place is proposed twice. Pure.

import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { similarField } from "./similar-name.ts";
import { labelOf, partsOf, referenceOf, type Target, targetOf } from "./targets.ts";

export interface Proposal {
  readonly column: string;
  readonly target: string | null;
  /** What it was found by. */
  readonly by: "last" | "name" | "label" | "similar" | null;
}

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Usual other names of fields; the first that the type has. */
const alike: Readonly<Record<string, readonly string[]>> = {
  first: ["firstname"],
  given: ["firstname"],
  givenname: ["firstname"],
  forename: ["firstname"],
  last: ["lastname"],
  surname: ["lastname"],
  familyname: ["lastname"],
  mail: ["email"],
  emailaddress: ["email"],
  tel: ["phone"],
  telephone: ["phone"],
  phonenumber: ["phone"],
  cell: ["mobile"],
  cellphone: ["mobile"],
  mobilephone: ["mobile"],
  mobilenumber: ["mobile"],
  web: ["website"],
  homepage: ["website"],
  url: ["website"],
  zipcode: ["zip"],
  postcode: ["zip"],
  postalcode: ["zip"],
  companyname: ["company", "name"],
  organization: ["company"],
  account: ["company"],
  accountname: ["company"],
  position: ["jobtitle"],
  title: ["jobtitle"],
  owner: ["ownedby"],
  assignedto: ["ownedby"],
  notes: ["description"],
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
  /** Whether the cells of a column, by its position, make sense there: asked where its name is only close. */
  fits: (column: number, target: Target) => boolean = () => true,
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
  // `Billing city` is a part of the billing address.
  for (const { path, part } of places) if (part !== undefined) put(byName, path.replace("_address.", " "), path);
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
    const chosen = last.get(column);
    // By what the field is called now.
    const target = chosen === undefined ? undefined : targetOf(snapshot, type, caller, chosen)?.path;
    if (target === undefined) return { column, target: null, by: null };
    taken.add(target);
    return { column, target, by: "last" };
  });
  // Ids go first: where a file has both the id and the name of a reference, the id is mapped.
  const order = found.map((_, index) => index).sort((a, b) => Number(isId(columns[b])) - Number(isId(columns[a])));
  const propose = (by: "name" | "label" | "similar", find: (key: string) => string | undefined): void => {
    for (const index of order) {
      const proposal = found[index];
      if (!proposal || proposal.target !== null) continue;
      const { text, position } = numbered(withoutAlias(type, proposal.column));
      const path = find(plain(text));
      const own = position === undefined ? path : path?.replace(/\.1\./u, `.${position}.`);
      const target = own === undefined ? undefined : targetOf(snapshot, type, caller, own);
      if (target === undefined || taken.has(target.path) || (by === "similar" && !fits(index, target))) continue;
      taken.add(target.path);
      found[index] = { column: proposal.column, target: target.path, by };
    }
  };
  const [otherNames, otherLabels] = [othersOf(byName), othersOf(byLabel)];
  // What is written as it is called goes before what is called so by some, and that before what is only close.
  propose("name", (key) => byName.get(key));
  propose("label", (key) => byLabel.get(key));
  propose("name", (key) => otherNames.get(key));
  propose("label", (key) => otherLabels.get(key));
  const left = new Map<string, string>();
  // A word that two fields are called by is the first one's: by its name, then in the caller's language.
  for (const [name, path] of [byName, byLabel, otherNames, otherLabels].flatMap((names) => [...names]))
    if (!left.has(name)) left.set(name, path);
  // Which record is meant is never guessed; and what is called like all children of a kind is none of their fields.
  for (const [name, path] of left) if (taken.has(path) || /(?:^|\.)(?:id|business_key)$/u.test(path)) left.delete(name);
  const whole = new Set(type.associations.flatMap(({ name, label }) => [plain(name), plain(label)]));
  propose("similar", (key) => (whole.has(key) ? undefined : similarField(key, left)));
  return found;
}

/** Gives the field that a column is called like and that no column can go to, of those that the caller may know of. */
export function unimportable(
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  wordings: readonly Snapshot[] = [],
): (column: string) => string | undefined {
  const { visible } = fieldMask(type, caller);
  const byName = new Map<string, string>();
  for (const wording of [snapshot, ...wordings]) {
    for (const { name, label } of wording.types.get(type.key)?.fields ?? [])
      if (visible.has(name) && targetOf(snapshot, type, caller, name) === undefined)
        for (const called of [plain(name), plain(label)]) if (!byName.has(called)) byName.set(called, name);
  }
  return (column) => byName.get(plain(withoutAlias(type, column)));
}

/** Other names of the fields that a type has. */
const othersOf = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(alike).flatMap(([other, alternatives]) =>
      alternatives
        .flatMap((name) => names.get(name) ?? [])
        .slice(0, 1)
        .map((path) => [other, path] as const),
    ),
  );

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
