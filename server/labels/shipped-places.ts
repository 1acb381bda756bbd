// Takes a record type; tells which labels on it ship with the service: on a built-in type, on a type of a template, or on every type.
// Only those are translated by what ships. A company's own field "Rate" is no exchange rate.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { humanize } from "../../contract/labels.ts";
import type { RecordTypeDefinition, RecordTypeKey } from "../../contract/record-type.ts";
import { startersFolder } from "../lib/root.ts";
import { systemFields } from "../metadata/system-fields.ts";
import { builtInTypes } from "../modules/index.ts";

type Places = ReadonlyMap<RecordTypeKey, ReadonlySet<string>>;

let places: Places | undefined;

/** Whether a label of this record type is one that it ships with. */
export function shipsWith(type: RecordTypeKey): (label: string) => boolean {
  places ??= placesOf([...templateTypes(), ...builtInTypes]);
  const here = places.get(type);
  return (label) => here?.has(label) === true || everywhere.has(label);
}

const placesOf = (definitions: readonly RecordTypeDefinition[]): Places =>
  new Map(definitions.map((one) => [`${one.module}/${one.controller}`, new Set(labelsOf(one))]));

const labelsOf = ({ label, plural, fields, associations = [] }: RecordTypeDefinition): readonly string[] => [
  label,
  plural,
  ...fields.flatMap((field) => [field.label ?? humanize(field.name), field.help ?? "", ...optionsOf(field.settings)]),
  ...associations.map((one) => one.label ?? humanize(one.name)),
];

function optionsOf(settings: RecordTypeDefinition["fields"][number]["settings"]): readonly string[] {
  const options = settings?.options;
  return Array.isArray(options) ? options.map(({ label }: { readonly label: string }) => label) : [];
}

/** A handful of small files, read once. */
function templateTypes(): readonly RecordTypeDefinition[] {
  if (!existsSync(startersFolder)) return [];
  const files = readdirSync(startersFolder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => path.basename(path.dirname(file)) === "record_types" && file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(path.join(startersFolder, file), "utf8")) as RecordTypeDefinition);
}

/** What every type has without its designer. */
const everywhere: ReadonlySet<string> = new Set([
  ...systemFields(
    {
      ...{ module: "any", controller: "any", label: "", plural: "", displayField: "id", fields: [] },
      access: { read: [], edit: [], delete: [], comment: [] },
      ...{ categories: true, businessKey: { prefix: "", digits: 1 } },
    },
    "run-time",
  ).map(({ field }) => field.label),
  "Comments",
]);
