// Takes all definitions; gives the one immutable picture of all record types that a request works with.
// Nothing past this point can tell a built-in type from one made at run time.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Language } from "../../contract/texts/languages.ts";
import type { FormerFields } from "./changes/former-fields.ts";
import { compileRecordType, keyOf, type Lookup, tableOf } from "./compile.ts";
import { compileComputed } from "./computed/compile-computed.ts";
import type { ComputedStep } from "./computed/computation.ts";
import { definitionRefused } from "./definition-refusal.ts";
import { policyFaults } from "./policies/policy.ts";
import type { FormerField, RecordType, RecordTypeDefinition, RecordTypeKey } from "./record-type.ts";
import { compileChoices } from "./rules/compile-choices.ts";
import { compileRules } from "./rules/compile-rules.ts";
import { compileStarts } from "./rules/compile-starts.ts";

export interface Snapshot {
  readonly version: string;
  /** What its labels are written in, where there is a translation of them. English: as they were defined. */
  readonly language: Language;
  /** Moves with its labels, where the version does not: the language, and what an organization translated itself. */
  readonly wording: string;
  /** A label in that language; one that nobody translated stays as it is. For labels that are records: views, forms, stages, menu entries. */
  readonly words: (label: string) => string;
  readonly types: ReadonlyMap<RecordTypeKey, RecordType>;
  /** The same types by their other names, each as it is called by that name. */
  readonly aliases: ReadonlyMap<RecordTypeKey, RecordType>;
  readonly modules: ReadonlySet<string>;
  /** Computed fields of all types in the order in which one can be worked out after the other. */
  readonly computed: readonly ComputedStep[];
}

/** By type and field whether there is an index to use, whatever the definition says: one may be added, or not built yet. */
export type AddedIndexes = ReadonlyMap<RecordTypeKey, ReadonlyMap<string, boolean>>;

/** `filling`: tables whose text for searches is being filled in; `former`: fields that were removed. */
export function buildSnapshot(
  builtIn: readonly RecordTypeDefinition[],
  runTime: readonly RecordTypeDefinition[],
  version: string,
  indexes: AddedIndexes = new Map(),
  filling: ReadonlySet<string> = new Set(),
  former: FormerFields = new Map(),
): Snapshot {
  const definitions = new Map<string, RecordTypeDefinition>();
  const builtInKeys = new Set<string>();
  for (const definition of builtIn) {
    builtInKeys.add(keyOf(definition));
    definitions.set(keyOf(definition), definition);
  }
  for (const definition of runTime) {
    if (builtInKeys.has(keyOf(definition))) {
      const wrong = say("type_built_in", { type: keyOf(definition) });
      throw definitionRefused([{ at: "controller", wrong }], keyOf(definition));
    }
    definitions.set(keyOf(definition), definition);
  }
  // What only the service writes has nothing attached to it that people said.
  const isConfidential = ({ confidential, refuses }: RecordTypeDefinition): boolean =>
    confidential === true && !(refuses?.add && refuses.edit);
  const confidential = new Set([...definitions].flatMap(([key, one]) => (isConfidential(one) ? [key] : [])));
  const lookup = (key: string) => definitions.get(key);
  const types = new Map<string, RecordType>();
  const tables = new Map<string, string>();
  for (const [key, definition] of definitions) {
    const other = tables.get(tableOf(definition));
    if (other !== undefined) {
      const shared = say("table_shared", { type: key, other, table: tableOf(definition) });
      throw new Failure("definition_refused", { with: { faults: [shared] } });
    }
    tables.set(tableOf(definition), key);
    const origin = builtInKeys.has(key) ? "built-in" : "run-time";
    const type = compileAgain(definition, lookup, origin, confidential, indexes.get(key));
    types.set(key, inItsState(type, filling, former.get(key) ?? []));
  }
  const computed = compileComputed(types);
  compileRules(types, lookup);
  compileChoices(types, lookup);
  compileStarts(types);
  for (const type of types.values()) {
    const faults = policyFaults(type, type.access).map(({ right, wrong }) => ({ at: `access.${right}`, wrong }));
    if (faults.length > 0) throw definitionRefused(faults, type.key);
  }
  const aliases = aliasesOf(types);
  const modules = new Set([...types.values()].map((type) => type.module));
  return Object.freeze({
    version,
    language: "en",
    wording: "en",
    words: (label: string) => label,
    types,
    aliases,
    modules,
    computed,
  });
}

interface Compiled {
  readonly type: RecordType;
  readonly origin: RecordType["origin"];
  readonly confidential: ReadonlySet<string>;
  /** Definitions that were asked for on the way. They are never changed, only replaced. */
  readonly others: ReadonlyMap<string, RecordTypeDefinition | undefined>;
}

const known = new WeakMap<RecordTypeDefinition, Compiled>();

const isSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((key) => others.has(key));

/** With what its definition does not say. */
function inItsState(type: RecordType, filling: ReadonlySet<string>, former: readonly FormerField[]): RecordType {
  const taken = former.filter(({ names }) => names.some((name) => type.field.has(name) || type.fieldAliases.has(name)));
  const isFilling = filling.has(type.table);
  if (!isFilling && taken.length === 0) return type;
  return Object.freeze({
    ...type,
    ...(isFilling ? { isSearchFilling: true as const } : {}),
    ...(taken.length > 0 ? { former: taken } : {}),
  });
}

/** Gives what it gave before where neither the definition nor any other that it was compiled with has changed: a design that is saved
 * makes several snapshots of all types, and changes one of them. */
function compileAgain(
  definition: RecordTypeDefinition,
  lookup: Lookup,
  origin: RecordType["origin"],
  confidential: ReadonlySet<string>,
  indexes: ReadonlyMap<string, boolean> | undefined,
): RecordType {
  // A build that adds one is rare, and soon over.
  if (indexes) return compileRecordType(definition, lookup, origin, confidential, indexes);
  const before = known.get(definition);
  if (
    before?.origin === origin &&
    isSame(before.confidential, confidential) &&
    [...before.others].every(([key, other]) => lookup(key) === other)
  ) {
    // Each snapshot has types of its own: what is remembered by them belongs to it alone.
    return Object.freeze({ ...before.type });
  }
  const others = new Map<string, RecordTypeDefinition | undefined>();
  const noting: Lookup = (key) => {
    const other = lookup(key);
    others.set(key, other);
    return other;
  };
  const type = compileRecordType(definition, noting, origin, confidential);
  known.set(definition, { type, origin, confidential, others });
  return type;
}

/** The types by their other names; a Failure where a name is taken. */
export function aliasesOf(types: ReadonlyMap<RecordTypeKey, RecordType>): ReadonlyMap<RecordTypeKey, RecordType> {
  const aliases = new Map<string, RecordType>();
  for (const type of types.values()) {
    for (const alias of type.names.slice(1)) {
      const name = `${type.module}/${alias}`;
      if (types.has(name) || aliases.has(name)) {
        throw definitionRefused([{ at: "aliases", wrong: say("alias_is_type", { name }) }], type.key);
      }
      aliases.set(name, Object.freeze({ ...type, alias }));
    }
  }
  return aliases;
}

/** The record type by its key or another name of it. */
export const findType = (snapshot: Snapshot, key: RecordTypeKey): RecordType | undefined =>
  snapshot.types.get(key) ?? snapshot.aliases.get(key);

/** The record type by that key; a Failure that tells which half of it is unknown. */
export function requireType(snapshot: Snapshot, key: RecordTypeKey): RecordType {
  const type = findType(snapshot, key);
  if (type) return type;
  const module = key.split("/")[0] ?? "";
  if (!snapshot.modules.has(module)) throw new Failure("unknown_module", { with: { module } });
  throw new Failure("unknown_controller", { with: { type: key } });
}
