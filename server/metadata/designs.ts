// What people designed: record types of their own, and extensions of those that the service comes with. Takes what was sent or is
// stored, gives both kinds as definitions in force.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { writeAll } from "../../contract/texts/write.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { placed } from "../lib/design-fault.ts";
import { keyOf } from "./compile.ts";
import { definitionRefused } from "./definition-refusal.ts";
import { checkDefinition } from "./definition-schema.ts";
import { type Extension, extend, extensionOf, isExtensible, readExtension } from "./extension.ts";
import type { FieldDefinition, RecordTypeDefinition } from "./record-type.ts";
import { buildSnapshot } from "./snapshot.ts";

export interface Designs {
  readonly types: readonly RecordTypeDefinition[];
  readonly extensions: ReadonlyMap<string, Extension>;
}

/** One of them, as it was sent. */
export interface Design {
  readonly key: string;
  /** As it is in force once saved. */
  readonly definition: RecordTypeDefinition;
  /** What is kept of it. */
  readonly stored: RecordTypeDefinition | Extension;
  readonly extension: Extension | undefined;
}

export async function readDesigns(db: Queryable, builtIn: readonly RecordTypeDefinition[]): Promise<Designs> {
  const shipped = new Set(builtIn.map(keyOf));
  const types: RecordTypeDefinition[] = [];
  const extensions = new Map<string, Extension>();
  const rows = await db.rows<{ key: string; definition: string }>(
    sql`select key, definition from metadata__record_types order by key`,
  );
  const reading = new Map<string, Read>();
  for (const { key, definition } of rows) {
    const isShipped = shipped.has(key);
    const known = readBefore.get(key);
    const isSame = known?.text === definition && (known.extension !== undefined) === isShipped;
    const read = isSame ? known : { text: definition, ...readOne(key, definition, isShipped) };
    reading.set(key, read);
    if (read.type) types.push(read.type);
    if (read.extension) extensions.set(key, read.extension);
  }
  readBefore = reading;
  return { types, extensions };
}

interface Read {
  readonly text: string;
  readonly type?: RecordTypeDefinition;
  readonly extension?: Extension;
}

/** All that were read last, with their texts. They are never changed, only replaced: what did not change is neither checked nor compiled again. */
let readBefore: ReadonlyMap<string, Read> = new Map();

const readOne = (key: string, definition: string, isShipped: boolean): Omit<Read, "text"> =>
  isShipped ? { extension: readOwnFields(key, definition) } : { type: readType(key, definition) };

function readOwnFields(key: string, definition: string): Extension {
  const extension = readExtension(JSON.parse(definition));
  if (!extension) throw new Error(`The custom fields of ${key} cannot be read`);
  return extension;
}

function readType(key: string, definition: string): RecordTypeDefinition {
  const checked = checkDefinition(JSON.parse(definition));
  if (checked.ok) return checked.definition;
  throw new Error(`The record type ${key} cannot be read: ${writeAll(checked.faults.map(placed), "en").join("; ")}`);
}

/** The definitions that the service comes with, each with what people added to it. */
export const extended = (
  builtIn: readonly RecordTypeDefinition[],
  { extensions }: Designs,
): readonly RecordTypeDefinition[] =>
  builtIn.map((definition) => {
    const extension = extensions.get(keyOf(definition));
    return extension ? extendAgain(definition, extension) : definition;
  });

interface Extended {
  readonly from: RecordTypeDefinition;
  readonly to: RecordTypeDefinition;
}

const extendedBefore = new WeakMap<Extension, Extended>();

function extendAgain(from: RecordTypeDefinition, extension: Extension): RecordTypeDefinition {
  const before = extendedBefore.get(extension);
  if (before?.from === from) return before.to;
  const to = extend(from, extension);
  extendedBefore.set(extension, { from, to });
  return to;
}

/**
 * A later version may have no use for a part of an extension that is stored: that part is passed over and told, and stays stored.
 * The service must start.
 */
export function fitting(stored: Designs, builtIn: readonly RecordTypeDefinition[]): Designs {
  let designs = stored;
  while (designs.extensions.size + designs.types.length > 0) {
    const all = [...extended(builtIn, designs), ...designs.types];
    if (all.length === fittedBefore.length && all.every((one, at) => one === fittedBefore[at])) break;
    try {
      buildSnapshot(extended(builtIn, designs), designs.types, "0");
      if (designs === stored) fittedBefore = all;
      break;
    } catch (error) {
      const fewer = error instanceof Failure ? withoutRefused(designs, error) : undefined;
      if (!fewer) throw error;
      process.emitWarning(`Left out what this version can't use: ${writeAll(messagesOf(error), "en").join("; ")}`);
      designs = fewer;
    }
  }
  return designs;
}

/** The definitions that were all found to fit last. */
let fittedBefore: readonly RecordTypeDefinition[] = [];

const messagesOf = (error: unknown) => (error instanceof Failure ? (error.detail.errors ?? []) : []);

/** Undefined where it is not the extension that is refused. */
function withoutRefused(designs: Designs, { detail }: Failure): Designs | undefined {
  const key = detail.body?.record_type;
  if (typeof key !== "string") return undefined;
  const own = designs.types.find((type) => keyOf(type) === key);
  if (own) {
    const paths = Object.keys(detail.byField ?? {});
    return (
      withoutComputed(designs, own, paths) ??
      withoutPartOfFields(designs, own, paths, "where") ??
      withoutPartOfFields(designs, own, paths, "initialFormula") ??
      withoutRules(designs, own, paths)
    );
  }
  const extension = designs.extensions.get(key);
  if (!extension) return undefined;
  const fewer = Object.keys(detail.byField ?? {}).reduce((left, path) => withoutPart(left, path), extension);
  if (JSON.stringify(fewer) === JSON.stringify(extension)) return undefined;
  return { ...designs, extensions: new Map([...designs.extensions, [key, fewer]]) };
}

/** Computed fields that what they are computed from is gone for keep their values, and are computed no more. */
function withoutComputed(designs: Designs, type: RecordTypeDefinition, paths: readonly string[]): Designs | undefined {
  const refused = paths.flatMap((path) => /^record_types\.fields\.([a-z0-9_]{1,40})\.computed/.exec(path)?.[1] ?? []);
  if (refused.length === 0) return undefined;
  const fields = type.fields.map((field): FieldDefinition => {
    if (!refused.includes(field.name)) return field;
    const { computed: _, ...rest } = field;
    return { ...rest, permission: 4 };
  });
  const types = designs.types.map((one) => (one === type ? { ...type, fields } : one));
  return { ...designs, types };
}

/** References whose choices are limited by what is gone can name any record; what would start with it starts empty. */
function withoutPartOfFields(
  designs: Designs,
  type: RecordTypeDefinition,
  paths: readonly string[],
  part: "where" | "initialFormula",
): Designs | undefined {
  const refused = new Set(
    paths.flatMap((path) => {
      const [, fields, name = "", setting] = path.split(".");
      return fields === "fields" && setting === part ? [name] : [];
    }),
  );
  if (refused.size === 0) return undefined;
  const fields = type.fields.map((field): FieldDefinition => {
    const { [part]: _, ...rest } = field;
    return refused.has(field.name) ? rest : field;
  });
  return { ...designs, types: designs.types.map((one) => (one === type ? { ...type, fields } : one)) };
}

const refusedRules = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => /^record_types\.rules\.([a-z0-9_]{1,40})/.exec(path)?.[1] ?? []);

function withoutRules(designs: Designs, type: RecordTypeDefinition, paths: readonly string[]): Designs | undefined {
  const refused = refusedRules(paths);
  if (refused.length === 0) return undefined;
  const rules = (type.rules ?? []).filter(({ name }) => !refused.includes(name));
  return { ...designs, types: designs.types.map((one) => (one === type ? { ...type, rules } : one)) };
}

function withoutPart(extension: Extension, path: string): Extension {
  const [, part = "", name = "", setting = ""] = path.split(".");
  if (part === "duplicates") {
    const { duplicates: _, ...rest } = extension;
    return rest;
  }
  if (part === "unique/indexes") return { ...extension, unique: [] };
  if (part === "associations") {
    return { ...extension, associations: extension.associations.filter((one) => one.name !== name) };
  }
  if (part === "rules") return { ...extension, rules: (extension.rules ?? []).filter((one) => one.name !== name) };
  if (part !== "fields") return extension;
  const changed = Object.fromEntries(Object.entries(extension.changed).filter(([field]) => field !== name));
  const fields = extension.fields.flatMap((field): readonly FieldDefinition[] => {
    if (field.name !== name) return [field];
    if (setting === "where") {
      const { where: _, ...open } = field;
      return [open];
    }
    if (setting !== "aliases" && !setting.startsWith("initial")) return [];
    const { aliases: _, initial: __, initialFormula: ___, ...rest } = field;
    return [rest];
  });
  return { ...extension, changed, fields };
}

export const withDesign = ({ types, extensions }: Designs, { key, definition, extension }: Design): Designs =>
  extension
    ? { types, extensions: new Map([...extensions, [key, extension]]) }
    : { types: [...types.filter((other) => keyOf(other) !== key), definition], extensions };

/** Paths of the web app's own files and of feeds: a record type there could not be opened. */
const reservedModules: ReadonlySet<string> = new Set(["assets", "feeds"]);

/** A design of the right shape, or the Failure that says what is wrong with it. */
export function designOf(builtIn: readonly RecordTypeDefinition[], sent: unknown): Design {
  const shipped = builtIn.find(({ module, controller }) => holds(sent, { module, controller }));
  if (shipped) return extensionDesign(shipped, sent);
  const checked = checkDefinition(sent);
  if (!checked.ok) throw definitionRefused(checked.faults);
  const { definition } = checked;
  if (reservedModules.has(definition.module)) {
    throw definitionRefused([{ at: "module", wrong: say("module_reserved", { module: definition.module }) }]);
  }
  if (definition.scope === "shared") throw definitionRefused([{ at: "scope", wrong: say("shared_built_in") }]);
  return { key: keyOf(definition), definition, stored: definition, extension: undefined };
}

function extensionDesign(shipped: RecordTypeDefinition, sent: unknown): Design {
  const key = keyOf(shipped);
  if (!isExtensible(shipped)) {
    throw definitionRefused([{ at: "controller", wrong: say("not_extensible", { type: key }) }]);
  }
  const extension = extensionOf(shipped, sent);
  if ("length" in extension) throw definitionRefused(extension);
  return { key, definition: extend(shipped, extension), stored: extension, extension };
}

const holds = (sent: unknown, parts: Readonly<Record<string, string>>): boolean =>
  typeof sent === "object" &&
  sent !== null &&
  Object.entries(parts).every(([key, value]) => Object.entries(sent).some(([k, v]) => k === key && v === value));
