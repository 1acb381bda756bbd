// Takes a column's name as views and messages write it; gives every field that it goes through, whoever looks: of references, of
// related records, and the last one. Undefined where it leads nowhere. What a caller may see of it is plan/column.ts.
import { referenceNamed } from "../associations.ts";
import type { Association, RecordType } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";

export interface PathField {
  readonly type: string;
  readonly field: string;
}

type Followed = Exclude<Association, { kind: "belongs-to-any" }>;

export function fieldsOnPath(snapshot: Snapshot, type: RecordType, name: string): readonly PathField[] | undefined {
  const segments = name
    .replace(/^\{\{MODEL\}\}(?=\.)/u, () => type.alias)
    .replace(/(^|\.)\{\{PRIMARY_KEY\}\}$/u, "$1id")
    .split(".");
  const own = type.names.includes(segments[0] ?? "") && segments.length > 1;
  return (own ? walk(snapshot, type, segments.slice(1)) : undefined) ?? walk(snapshot, type, segments);
}

function walk(snapshot: Snapshot, type: RecordType, segments: readonly string[]): readonly PathField[] | undefined {
  const found: PathField[] = [];
  let at = type;
  for (const segment of segments.slice(0, -1)) {
    const association = followed(snapshot, at, segment);
    const next = association && snapshot.types.get(association.type);
    if (!association || !next) return undefined;
    if (association.kind === "belongs-to") found.push({ type: at.key, field: association.via });
    else if (association.kind === "has-many") found.push({ type: association.type, field: association.via });
    else if (association.kind === "has-many-through") {
      found.push({ type: association.through, field: association.via });
      found.push({ type: association.through, field: association.to });
    }
    at = next;
  }
  const field = fieldNamed(at, segments.at(-1) ?? "");
  return field === undefined ? undefined : [...found, { type: at.key, field }];
}

/** By its name, an alias, or a column of one that has several. */
function fieldNamed(type: RecordType, name: string): string | undefined {
  const own = type.fieldAliases.get(name) ?? name;
  if (type.field.has(own)) return own;
  return [...type.columns].find(([, columns]) => columns.length > 1 && columns.some((one) => one.name === name))?.[0];
}

function followed(snapshot: Snapshot, type: RecordType, segment: string): Followed | undefined {
  const open = type.associations.filter((one): one is Followed => one.kind !== "belongs-to-any");
  return (
    open.find((one) => one.name === segment) ??
    open.find(
      (one) => one.kind === "belongs-to" && (one.via === segment || one.via === referenceNamed(type, segment)),
    ) ??
    open.find((one) => one.type === "access_controls/users" && `${one.name}_user` === segment) ??
    open.find((one) => snapshot.types.get(one.type)?.alias === segment)
  );
}
