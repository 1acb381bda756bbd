// Takes the description of the interface (/openapi.json, of whichever service); gives the record types in it as TypeScript for
// @dossier/client. The same description gives the same text. Nothing of it is trusted to be a name or the end of a comment.
import { z } from "zod";

const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.union([z.string(), z.null()])).optional(),
  get anyOf() {
    return z.array(schemaSchema).optional();
  },
  get items() {
    return schemaSchema.optional();
  },
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  $ref: z.string().optional(),
  description: z.string().optional(),
  "x-references": z.string().optional(),
  "x-file": z.boolean().optional(),
});
type Described = z.output<typeof schemaSchema>;

const documentSchema = z.looseObject({ components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }) });

type Part = "record" | "input";

interface Found {
  readonly key: string;
  readonly parts: Readonly<Record<Part, Described>>;
}

/** `crm.leads.record` → `crm/leads` and `record`. */
function nameParts(name: string): { readonly key: string; readonly part: Part } | undefined {
  const [module, controller, part, ...more] = name.split(".");
  if (module === undefined || controller === undefined || more.length > 0) return undefined;
  return part === "record" || part === "input" ? { key: `${module}/${controller}`, part } : undefined;
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Undefined where it is no such description. */
export function writeTypes(document: unknown): string | undefined {
  const { data } = documentSchema.safeParse(document);
  if (data === undefined) return undefined;
  const parts = new Map<string, Partial<Record<Part, Described>>>();
  for (const [name, schema] of Object.entries(data.components.schemas)) {
    const named = nameParts(name);
    const read = named && schemaSchema.safeParse(schema).data;
    if (read) parts.set(named.key, { ...parts.get(named.key), [named.part]: read });
  }
  const found = [...parts]
    .sort(byName)
    .flatMap(([key, { record, input }]): Found[] => (record && input ? [{ key, parts: { record, input } }] : []));
  const known = new Set(found.map(({ key }) => key));
  return [
    "// Written by `dossier types`: do not edit, run it again.",
    "",
    "export interface RecordTypes {",
    ...found.flatMap(({ key, parts: { record, input } }) => [
      ...comment("  ", record.description?.split(",", 1)[0]),
      `  ${quoted(key)}: {`,
      ...members("record", record, known, ""),
      ...members("input", input, known, "?"),
      ...references(record, known),
      "  };",
    ]),
    "}",
    "",
  ].join("\n");
}

const quoted = (text: string): string => JSON.stringify(text);

/** A comment is one line that nothing in it ends. */
const comment = (margin: string, text: string | undefined): readonly string[] =>
  text === undefined || text === ""
    ? []
    : [`${margin}/** ${text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").replaceAll("*/", "*\\/")} */`];

const propertiesOf = ({ properties = {} }: Described): readonly [string, Described][] =>
  Object.entries(properties).sort(byName);

const members = (part: Part, schema: Described, known: ReadonlySet<string>, optional: "" | "?"): readonly string[] => [
  `    readonly ${part}: {`,
  ...propertiesOf(schema).flatMap(([name, property]) => [
    ...comment("      ", property.description),
    `      readonly ${quoted(name)}${optional}: ${typeText(property, known)};`,
  ]),
  "    };",
];

const references = (record: Described, known: ReadonlySet<string>): readonly string[] => [
  "    readonly references: {",
  ...propertiesOf(record).flatMap(([name, { "x-references": target }]) =>
    target !== undefined && known.has(target) ? [`      readonly ${quoted(name)}: ${quoted(target)};`] : [],
  ),
  "    };",
];

function typeText(schema: Described, known: ReadonlySet<string>): string {
  if (schema.$ref !== undefined) {
    const named = nameParts(schema.$ref.replace("#/components/schemas/", ""));
    return named && known.has(named.key) ? `RecordTypes[${quoted(named.key)}]["${named.part}"]` : "unknown";
  }
  if (schema.enum) return [...new Set(schema.enum.map((value) => JSON.stringify(value)))].join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeText(one, known)))].join(" | ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return "unknown";
  return [...(schema["x-file"] ? ["Blob"] : []), ...types.map((kind) => oneKind(kind, schema, known))].join(" | ");
}

function oneKind(kind: string, schema: Described, known: ReadonlySet<string>): string {
  switch (kind) {
    case "string":
    case "boolean":
    case "null":
      return kind;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly (${schema.items ? typeText(schema.items, known) : "unknown"})[]`;
    case "object": {
      const parts = propertiesOf(schema).map(([name, part]) => `readonly ${quoted(name)}?: ${typeText(part, known)}`);
      return parts.length === 0 ? "object" : `{ ${parts.join("; ")} }`;
    }
    default:
      return "unknown";
  }
}
