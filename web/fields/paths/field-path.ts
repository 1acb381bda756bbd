// A column's name → the field behind it and the labels on the way there: `leads.owned_by.name` is "Owner › Name".
// Walks the schemas of the record types as the service walks its own; what it does not know it does not find.
import type { RecordTypeSchema, SchemaAssociation, SchemaField } from "../../../client/design/record-types.ts";

export interface FoundField {
  /** As the wire spells it. */
  readonly column: string;
  /** From the first association to the field. */
  readonly labels: readonly string[];
  readonly field: SchemaField;
  /** Some record on the other side of a has-many association. */
  readonly isMany: boolean;
}

export const fieldTitle = ({ labels }: Pick<FoundField, "labels">): string => labels.join(" › ");

/** Kept by the service, but people look for them: first, or after all others. */
const firstNames: readonly string[] = ["current_stage", "owned_by"];
const lastNames: readonly string[] = ["primary_acl_group", "business_key"];

/** Stage and owner, then the fields of the business in their own order; what the service keeps for itself apart. */
export function asOffered<Found extends Pick<FoundField, "field">>(
  all: readonly Found[],
  most: number,
): { readonly business: readonly Found[]; readonly system: readonly Found[] } {
  const isBusiness = ({ field }: Found): boolean =>
    field.system !== true || [...firstNames, ...lastNames].includes(field.name);
  const rank = ({ field }: Found): number =>
    firstNames.includes(field.name) ? 0 : lastNames.includes(field.name) ? 2 : 1;
  return {
    business: all
      .filter(isBusiness)
      .sort((one, other) => rank(one) - rank(other))
      .slice(0, most),
    system: all.filter((one) => !isBusiness(one)).slice(0, most),
  };
}

export interface Way {
  readonly association: SchemaAssociation;
  readonly isMany: boolean;
}

/** The associations of a type that lead to records of a known type. */
export const waysOf = (schema: RecordTypeSchema): readonly (Way & { readonly to: string })[] =>
  [
    ...schema.belongsTo.map((association) => ({ association, isMany: false })),
    ...[...schema.hasMany, ...schema.hasManyThrough].map((association) => ({ association, isMany: true })),
  ].flatMap((way) => (way.association.type ? [{ ...way, to: way.association.type }] : []));

/** The name that each record type has for itself. */
export const ANY_TYPE = "{{MODEL}}";

export const aliasOf = (schema: RecordTypeSchema): string => schema.recordType.display_field.split(".")[0] ?? "";

export type SchemaOf = (key: string) => Promise<RecordTypeSchema>;

export async function findField(schemaOf: SchemaOf, key: string, name: string): Promise<FoundField | undefined> {
  let schema = await schemaOf(key);
  const alias = aliasOf(schema);
  const parts = name.replace(/^\{\{MODEL\}\}\./u, "").split(".");
  const segments = parts.length > 1 && parts[0] === alias ? parts.slice(1) : parts;
  const labels: string[] = [];
  let isMany = false;
  for (const segment of segments.slice(0, -1)) {
    const way = wayNamed(schema, segment);
    if (way === undefined) return undefined;
    labels.push(way.association.label);
    isMany ||= way.isMany;
    schema = await schemaOf(way.to);
  }
  const last = segments.at(-1);
  const field = schema.fields.find((each) => each.name === last);
  return field && { column: [alias, ...segments].join("."), labels: [...labels, field.label], field, isMany };
}

function wayNamed(schema: RecordTypeSchema, segment: string) {
  const ways = waysOf(schema);
  const leading = ways.filter(({ to }) => to.split("/")[1] === segment);
  return (
    ways.find(({ association }) => association.name === segment) ??
    ways.find(({ association, isMany }) => !isMany && association.via === segment) ??
    ways.find(({ association }) => `${association.name}_user` === segment) ??
    (leading.length === 1 ? leading[0] : undefined)
  );
}
