// metadata/record_types/uses: everything that uses a field, and what becomes of each when the field is removed, converted or renamed. What
// the caller may not read, and what other organizations have, is counted and not named. Changes nothing.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { type DocumentKind, usesField } from "../../metadata/uses/uses-in-documents.ts";
import { type DesignUse, usesInTypes } from "../../metadata/uses/uses-in-types.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";

/**
 * `left_out`: goes on without the field, and has it again when it comes back. `prevents`: must be changed first. `stays`: goes on as it is.
 * `checked`: is tried before the change is saved.
 */
type Becomes = "left_out" | "prevents" | "stays" | "checked";

export interface FieldUse {
  readonly kind: DocumentKind | DesignUse["kind"] | "role" | "other";
  /** The record type where it is used. */
  readonly controller: string;
  readonly name: string;
  /** Of a record; else null. */
  readonly id: string | null;
  /** Of a view: it is on a dashboard. */
  readonly is_pinned?: 0 | 1;
  /** Of what is only counted. */
  readonly count?: number;
  readonly on_remove: Becomes;
  readonly on_convert: Becomes;
}

const documents = { on_remove: "left_out", on_convert: "stays" } as const;
const designs = { on_remove: "prevents", on_convert: "checked" } as const;

interface Source {
  readonly kind: DocumentKind;
  readonly type: string;
  readonly controller: string;
  readonly document: string;
}
const sources: readonly Source[] = [
  { kind: "view", type: "core/listviews", controller: "controller", document: "query" },
  { kind: "form", type: "core/forms", controller: "controller", document: "definition" },
  { kind: "workflow", type: "core/workflows", controller: "controller", document: "definition" },
  { kind: "policy", type: "access_controls/policies", controller: "record_type", document: "policy" },
];

/** Documents that are looked into; more do not name one field. */
const MOST = 5_000;

export async function usesOf(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  key: string,
  field: string,
): Promise<readonly FieldUse[]> {
  const found: FieldUse[] = usesInTypes(snapshot, key, field).map(({ kind, type, label }) => ({
    kind,
    controller: type,
    name: label,
    id: null,
    ...(kind === "index" ? { on_remove: "prevents", on_convert: "stays" } : designs),
  }));
  let others = 0;
  for (const source of sources) {
    const type = requireType(snapshot, source.type);
    const name = source.kind === "policy" ? "record_type" : "name";
    const pinned = source.kind === "view" ? sql`r.is_pinned::text` : sql`null::text`;
    const rows = await db.rows(sql`
      select r.id::text as id, r.${ident(name)} as name, r.${ident(source.controller)} as controller,
        r.${ident(source.document)}::text as document, ${pinned} as pinned,
        case when ${mayRead(caller, type, "r")} then '1' else '0' end as told
      from ${ident(type.table)} r
      where r.deleted = 0 and strpos(r.${ident(source.document)}::text, ${field}) > 0
      order by r.organization_id, name, r.id limit ${MOST}`);
    for (const row of rows) {
      const of = snapshot.types.get(row.controller ?? "");
      if (!of || !usesField(source.kind, readJson(row.document), { snapshot, type: of }, { type: key, field }))
        continue;
      if (row.told !== "1") {
        others += 1;
        continue;
      }
      found.push({
        kind: source.kind,
        controller: of.key,
        name: source.kind === "policy" ? of.plural : (row.name ?? ""),
        id: row.id ?? null,
        ...(source.kind === "view" ? { is_pinned: row.pinned === "1" ? 1 : 0 } : {}),
        ...documents,
      });
    }
  }
  const roles = await db.rows(sql`
    select o.id::text as id, r.name, case when o.organization_id = ${caller.organizationId}::bigint then '1' else '0' end as told
    from access_controls__role_fields o
    join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id and r.deleted = 0
    where o.record_type = ${key} and o.field = ${field} and o.deleted = 0 order by r.name limit ${MOST}`);
  for (const { name, told } of roles) {
    if (told !== "1") others += 1;
    else found.push({ kind: "role", controller: key, name: name ?? "", id: null, ...documents });
  }
  if (others > 0) found.push({ kind: "other", controller: key, name: "", id: null, count: others, ...documents });
  return found;
}

function readJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

export const uses: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const { parameters } = context.call;
    const type = requireType(context.snapshot, textAt(parameters, "key") ?? "");
    const name = textAt(parameters, "field") ?? "";
    if (!type.field.has(name)) {
      throw new Failure("malformed_parameter", { with: { name: "field", reason: say("missing_field", { name }) } });
    }
    const found = await usesOf(context.services.database, context.snapshot, requireCaller(context), type.key, name);
    return { body: { data: { uses: found } } };
  },
};
