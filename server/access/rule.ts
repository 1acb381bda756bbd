// The one rule of who may do what with a record, as data: for a record type and a right, who has access regardless of sets,
// and what the record's access set must say for everyone else. Pure. All answers derive from it: `holds` below and
// acl-directory.ts in memory, visibility.ts in SQL for a caller, readers.ts in SQL for any user.
import type { MatrixOperation, RecordRight } from "../../contract/permissions.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";
import { isWithinLimits, limitsAllow, reachOf, typesAllowed } from "./keys/limits.ts";

/** Groups of people that are told apart without looking at a record. Operators: administrators of who runs the service. */
export type People = "everybody" | "administrators" | "operators" | "nobody";

/** The columns of core__acl_sets that name principals. */
export type AclColumn = "readers" | "_acl_edit" | "_acl_tmp_edit" | "_acl_delete" | "_acl_tmp_delete" | "_acl_comment";

export interface Rule {
  /** Only within the person's own organization. */
  readonly walled: boolean;
  /** What the role matrix must allow; undefined where the operation itself has asked it. */
  readonly operation: MatrixOperation | undefined;
  /** Who passes whatever the record's set names … */
  readonly passes: People;
  /** … unless the record is attached to, or about, a record of one of these types. */
  readonly unlessAbout: readonly RecordTypeKey[];
  /** All others pass who are named in one of these columns of the set … */
  readonly named: readonly AclColumn[];
  /** … and whose roles allow one of these, if there are any, on the types that it is attached to or about. */
  readonly needs: readonly MatrixOperation[];
}

/** Who edits or deletes also reads: `readers` holds them all (acl.ts). The workflow lends its rights in `_acl_tmp…`. */
const namedFor: Readonly<Record<RecordRight, readonly AclColumn[]>> = {
  read: ["readers"],
  edit: ["_acl_edit", "_acl_tmp_edit"],
  delete: ["_acl_delete", "_acl_tmp_delete"],
  comment: ["_acl_comment"],
};

export function ruleOf(type: RecordType, right: RecordRight): Rule {
  const operation = right === "read" ? undefined : right;
  // What all organizations share has no sets: it is there for everybody, and the operator's to change.
  if (type.scope === "shared") {
    const passes = right === "read" ? "everybody" : "operators";
    return { walled: false, operation, passes, unlessAbout: [], named: [], needs: [] };
  }
  return {
    walled: true,
    operation,
    // Administrators pass all sets, except those of confidential types and of what is about their records.
    passes: type.confidential ? "nobody" : "administrators",
    unlessAbout: [...(type.about?.confidential ?? [])],
    named: namedFor[right],
    needs: neededOf(type),
  };
}

/** What the role matrix says of an operation on a record type. */
export interface Permit {
  /** Who may, whatever their roles allow. */
  readonly always: People;
  /** Whether a role that allows it is enough. */
  readonly byRole: boolean;
}

const readingOperations: ReadonlySet<MatrixOperation> = new Set(["index", "view", "export"]);
const changingOperations: ReadonlySet<MatrixOperation> = new Set(["edit", "delete", "bulk", "import"]);
/** What is attached to a record is looked at and written by whoever may do so with the record; that is asked there. */
const ofTheRecord: ReadonlySet<MatrixOperation> = new Set(["index", "view", "add", "edit", "delete"]);

/** `design` is of forms; the definition of the type itself is shared by all organizations and the operator's alone. */
export function permitOf(type: RecordType, operation: MatrixOperation): Permit {
  if (type.scope === "shared" && !readingOperations.has(operation)) return { always: "operators", byRole: false };
  if (refusalOf(type, operation) !== undefined) return { always: "nobody", byRole: false };
  if (type.appendOnly && changingOperations.has(operation)) return { always: "nobody", byRole: false };
  if (type.follows !== undefined && ofTheRecord.has(operation)) return { always: "everybody", byRole: false };
  return { always: "administrators", byRole: true };
}

/** Why nobody does it to records of this type, whoever asks. */
export function refusalOf({ refuses }: RecordType, operation: MatrixOperation): string | undefined {
  if (operation === "add" || operation === "edit" || operation === "delete") return refuses[operation];
  if (operation === "import") return refuses.add;
  return operation === "bulk" && refuses.edit !== undefined && refuses.delete !== undefined ? refuses.add : undefined;
}

/** What of a person the role matrix is asked with. */
export type Roles = Pick<Caller, "isAdministrator" | "isOperator" | "roles" | "limits">;

export function isAmong(people: People, { isAdministrator, isOperator }: Roles): boolean {
  switch (people) {
    case "everybody":
      return true;
    case "administrators":
      return isAdministrator;
    case "operators":
      return isAdministrator && isOperator;
    case "nobody":
      return false;
  }
}

/** By a role's own entry for the type, else by its entry for all. */
export const roleAllows = ({ roles }: Pick<Roles, "roles">, key: string, operation: MatrixOperation): boolean =>
  roles.some((role) => (role.operations.get(key) ?? role.operations.get("*"))?.has(operation) ?? false);

/** Whether who they are is enough; what their key is limited to is another matter. */
export function isAllowedByRoles(person: Roles, type: RecordType, operation: MatrixOperation): boolean {
  const { always, byRole } = permitOf(type, operation);
  return isAmong(always, person) || (byRole && roleAllows(person, type.key, operation));
}

export function isPermitted(person: Roles, type: RecordType, operation: MatrixOperation): boolean {
  if (!isAllowedByRoles(person, type, operation)) return false;
  const facts = { reads: readingOperations.has(operation), isOfTheRecord: ofTheRecord.has(operation) };
  return isWithinLimits(person, type, operation, facts);
}

/** One of these must be allowed for records of a type to be there at all, and what is attached to them. */
export const lookingOperations: readonly MatrixOperation[] = ["view", "index"];

/** What a record that follows another asks of that one's type, or what a record asks of the type that it is about. */
function neededOf({ follows, about }: RecordType): readonly MatrixOperation[] {
  if (follows !== undefined) return lookingOperations;
  return about?.needs === undefined ? [] : [about.needs];
}

export const mayAny = (person: Roles, key: RecordTypeKey, operations: readonly MatrixOperation[]): boolean =>
  operations.some(
    (operation) =>
      (person.isAdministrator || roleAllows(person, key, operation)) && limitsAllow(person, key, operation),
  );

export const mayLook = (person: Roles, key: RecordTypeKey): boolean => mayAny(person, key, lookingOperations);

/** The types that `mayAny` (as a rule: `mayLook`) is not the same for as for all the rest, and what it is for the rest. */
export function looks(
  person: Roles,
  operations: readonly MatrixOperation[] = lookingOperations,
): { readonly rest: boolean; readonly except: readonly RecordTypeKey[] } {
  const entries = person.roles.flatMap(({ operations }) => Array.from(operations.keys()));
  const named = new Set(entries.concat(Array.from(person.limits?.keys() ?? [])));
  const may = (key: RecordTypeKey) => mayAny(person, key, operations);
  const rest = may("*");
  return { rest, except: [...named].filter((key) => key !== "*" && may(key) !== rest).sort() };
}

/** What the rule asks of an access set. */
export interface SetFacts {
  readonly subjects: readonly RecordTypeKey[];
  named(column: AclColumn): readonly number[];
}

/** Whether what is about a record of that type is kept from those whom only its own policy names. */
export const tiesToSubject = ({ follows, about }: RecordType, subject: RecordTypeKey): boolean =>
  follows === undefined && (about?.needs === undefined || about.confidential.has(subject));

/** The types that this changes something for, where records name what they are about in any case. */
export const tyingTypes = ({ about }: RecordType): readonly RecordTypeKey[] | undefined =>
  about?.needs === undefined ? undefined : [...about.confidential].sort();

export const isHeldBack = ({ unlessAbout }: Rule, subjects: readonly RecordTypeKey[]): boolean =>
  subjects.some((key) => unlessAbout.includes(key));

/** Of what is attached to records: which types those must be of for a right that is limited; undefined where nothing is. */
export function limitedSubjects(
  person: Roles,
  type: RecordType,
  { operation }: Rule,
): ReturnType<typeof typesAllowed> | undefined {
  if (reachOf(person, type) !== "subjects") return undefined;
  if (type.follows === undefined) return typesAllowed(person, neededOf(type));
  const needed: readonly MatrixOperation[] =
    operation === undefined ? lookingOperations : [type.follows === "read" ? "comment" : "edit"];
  return typesAllowed(person, needed);
}

function isWithinReach(rule: Rule, person: Roles, type: RecordType, { subjects }: SetFacts): boolean {
  const reach = reachOf(person, type);
  const among = limitedSubjects(person, type, rule);
  return among === undefined ? reach === "all" : subjects.every((key) => among.except.includes(key) !== among.rest);
}

/** The whole rule for one person and one set of their organization. `principals`: the person's. */
export function holds(
  rule: Rule,
  person: Roles,
  type: RecordType,
  principals: ReadonlySet<number>,
  set: SetFacts,
): boolean {
  if (rule.operation !== undefined && !isPermitted(person, type, rule.operation)) return false;
  if (person.limits !== undefined && !isWithinReach(rule, person, type, set)) return false;
  if (isAmong(rule.passes, person) && !isHeldBack(rule, set.subjects)) return true;
  if (!rule.named.some((column) => set.named(column).some((id) => principals.has(id)))) return false;
  return rule.needs.length === 0 || set.subjects.every((key) => mayAny(person, key, rule.needs));
}
