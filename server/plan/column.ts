// Takes a column's name as a request writes it; gives the field it stands for and the associations that lead there.
// What the caller may not see does not exist: a hidden field and a name that nobody knows fail in the same words.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { fieldPermission } from "../access/field-mask.ts";
import { mayLookAt } from "../access/matrix.ts";
import type { Field } from "../fields/field-type.ts";
import { associationName, referenceNamed } from "../metadata/associations.ts";
import type { Association, RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { shown } from "../request/tree.ts";

/** What a name is resolved in. */
export interface Scope {
  readonly snapshot: Snapshot;
  readonly type: RecordType;
  readonly caller: Caller;
  readonly now: Date;
}

export type BelongsTo = Extract<Association, { kind: "belongs-to" }>;
export type HasMany = Extract<Association, { kind: "has-many" | "has-many-through" | "has-many-polymorphic" }>;

export interface Step {
  readonly association: BelongsTo;
  readonly type: RecordType;
}

export interface ColumnRef {
  /** From the scope's type, outermost first. */
  readonly steps: readonly Step[];
  /** The type that has the field: the last step's, or the scope's. */
  readonly type: RecordType;
  readonly field: Field;
  /** One column of a field that has several (`billing_address_city`). */
  readonly part?: string;
  /** The one spelling: `leads.owned_by.name`, `leads.first_name`. */
  readonly name: string;
  /** Another spelling that the request used: `leads.owned_by_user.name`. Rows are answered by it. */
  readonly asked?: string;
}

/** A column of the records on the far side of a has-many association. */
export interface ManyRef {
  /** Up to the record that has many. */
  readonly steps: readonly Step[];
  readonly owner: RecordType;
  readonly association: HasMany;
  /** As seen from a record of the far side. */
  readonly inner: ColumnRef | ManyRef;
  readonly name: string;
}

const MOST_STEPS = 4;
/** Each is a subquery within another. */
const MOST_MANY = 2;

interface Found {
  readonly steps: readonly Step[];
  readonly owner: RecordType;
  /** With how many belongs-to steps lie before each. */
  readonly many: readonly { readonly association: HasMany; readonly before: number }[];
  readonly field: Field;
  readonly part: string | undefined;
  readonly path: readonly string[];
  /** The path, as it was spelled. */
  readonly asked: readonly string[];
}

/** `parameter`: what a failure says is wrong, `q` or a parameter such as `sort`. */
export function resolveColumn(scope: Scope, name: string, parameter = "q"): ColumnRef {
  const found = find(scope, name, false) ?? unknownColumn(scope, name, parameter);
  return refOf(scope.type, found.steps, found);
}

/** As resolveColumn, and through at most two has-many associations as well. */
export function resolveFilterColumn(scope: Scope, name: string, parameter = "q"): ColumnRef | ManyRef {
  const found = find(scope, name, true) ?? unknownColumn(scope, name, parameter);
  return manyRef(scope, scope.type, found, 0, 0) ?? unknownColumn(scope, name, parameter);
}

/** From a record of `root`, the first `taken` steps and `passed` has-many associations behind it. */
function manyRef(
  scope: Scope,
  root: RecordType,
  found: Found,
  passed: number,
  taken: number,
): ColumnRef | ManyRef | undefined {
  const next = found.many[passed];
  if (!next) return refOf(root, found.steps.slice(taken), found, taken + passed);
  const far = scope.snapshot.types.get(next.association.type);
  const inner = far && manyRef(scope, far, found, passed + 1, next.before);
  if (!inner) return undefined;
  const steps = found.steps.slice(taken, next.before);
  const owner = steps.at(-1)?.type ?? root;
  const name = [root.alias, ...found.path.slice(taken + passed)].join(".");
  return { steps, owner, association: next.association, inner, name };
}

/** Undefined for what the caller may not see or nobody knows. */
export function unlessRefused<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export const isMany = (ref: ColumnRef | ManyRef): ref is ManyRef => "inner" in ref;

export function unknownColumn(scope: Scope, name: string, parameter: string): never {
  throw new Failure("malformed_parameter", {
    with: { name: parameter, reason: say("not_a_column", { name: shown(name), type: scope.type.key }) },
  });
}

function refOf(root: RecordType, steps: readonly Step[], found: Found, skip = 0): ColumnRef {
  const name = [root.alias, ...found.path.slice(skip)].join(".");
  const asked = [root.alias, ...found.asked.slice(skip)].join(".");
  return {
    steps,
    type: found.owner,
    field: found.field,
    ...(found.part === undefined ? {} : { part: found.part }),
    name,
    ...(asked === name ? {} : { asked }),
  };
}

/** The alias in front may be left out; where it is also the name of an association, the alias is meant. */
function find(scope: Scope, name: string, many: boolean): Found | undefined {
  const segments = name
    .replace(/^\{\{MODEL\}\}(?=\.)/u, () => scope.type.alias)
    .replace(/(^|\.)\{\{PRIMARY_KEY\}\}$/u, "$1id")
    .split(".");
  const own =
    segments.length > 1 && scope.type.names.includes(segments[0] ?? "")
      ? walk(scope, segments.slice(1), many)
      : undefined;
  return own ?? walk(scope, segments, many);
}

function walk(scope: Scope, segments: readonly string[], manyAllowed: boolean): Found | undefined {
  if (segments.length > MOST_STEPS + 1) return undefined;
  const steps: Step[] = [];
  const path: string[] = [];
  let owner = scope.type;
  const many: Found["many"][number][] = [];
  // Records that the caller may not list are known by what stands for them elsewhere: id and display name.
  let open = true;
  for (const segment of segments.slice(0, -1)) {
    if (!open) return undefined;
    const association = findAssociation(scope, owner, segment, manyAllowed && many.length < MOST_MANY);
    const target = association && scope.snapshot.types.get(association.type);
    if (!association || !target) return undefined;
    const owned = association.kind !== "belongs-to" && "owned" in association && association.owned === true;
    open = owned || mayLookAt(scope.caller, target);
    if (association.kind === "belongs-to") steps.push({ association, type: target });
    else if (open) many.push({ association, before: steps.length });
    else return undefined;
    path.push(stepName(owner, association, segment));
    owner = target;
  }
  const last = segments.at(-1) ?? "";
  const column = findField(scope.caller, owner, last);
  if (!column || !(open || last === "id" || last === owner.displayField)) return undefined;
  return { steps, owner, many, ...column, path: [...path, last], asked: segments };
}

const isVisible = (caller: Caller, type: RecordType | undefined, field: string): boolean =>
  type !== undefined && fieldPermission(type, field, caller, "view") !== 1;

function findField(
  caller: Caller,
  type: RecordType,
  name: string,
): { readonly field: Field; readonly part: string | undefined } | undefined {
  const field = type.field.get(type.fieldAliases.get(name) ?? name);
  if (field) return isVisible(caller, type, field.name) ? { field, part: undefined } : undefined;
  for (const whole of type.fields) {
    const columns = type.columns.get(whole.name) ?? [];
    if (columns.length < 2 || !columns.some((column) => column.name === name)) continue;
    return isVisible(caller, type, whole.name) ? { field: whole, part: name } : undefined;
  }
  return undefined;
}

type Traversable = BelongsTo | HasMany;

/** By its name, its reference field, `<name>_user`, or as the only one that leads to records of that alias. */
function findAssociation(scope: Scope, type: RecordType, segment: string, many: boolean): Traversable | undefined {
  const open = type.associations.filter(
    (one): one is Traversable =>
      one.kind !== "belongs-to-any" && (many || one.kind === "belongs-to") && isReachable(scope, type, one),
  );
  const aliased = referenceNamed(type, segment);
  const named =
    open.find((one) => one.name === segment) ??
    open.find((one) => one.kind === "belongs-to" && (one.via === segment || one.via === aliased)) ??
    open.find((one) => one.type === "access_controls/users" && `${one.name}_user` === segment);
  if (named) return named;
  const leading = open.filter((one) => scope.snapshot.types.get(one.type)?.alias === segment);
  return leading.length === 1 ? leading[0] : undefined;
}

/** By its own name, but for a reference that was asked for by a name that it had before. */
function stepName(type: RecordType, association: Traversable, segment: string): string {
  const isOld = association.kind === "belongs-to" && referenceNamed(type, segment) === association.via;
  return isOld ? associationName(segment) : association.name;
}

/** The fields that make the association are fields like any other: hidden ones lead nowhere. */
function isReachable({ snapshot, caller }: Scope, type: RecordType, association: Traversable): boolean {
  const sees = (key: string, field: string): boolean => isVisible(caller, snapshot.types.get(key), field);
  if (association.kind === "belongs-to") return isVisible(caller, type, association.via);
  if (association.kind === "has-many") return sees(association.type, association.via);
  if (association.kind === "has-many-polymorphic") return sees(association.type, "related_id");
  return sees(association.through, association.via) && sees(association.through, association.to);
}
