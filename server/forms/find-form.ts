// Which form a caller gets for a record type: the organization's default one if it saved one, else the generated one;
// compiled once for all callers whom it treats alike, until the form, the record types or the roles change.
import { type Caller, readerOf } from "../access/caller.ts";
import { fieldMask } from "../access/field-mask.ts";
import { mayOperate, mayTakeOver } from "../access/matrix.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { Recent } from "../lib/memory/recent.ts";
import { childTypeOf, isRelated, ownedAssociations } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { FormMode } from "./actions.ts";
import { type CompiledForm, compileForm } from "./compile-form.ts";
import { type FormDefinition, formSchema } from "./form-definition.ts";
import { generateForm } from "./generate-form.ts";

const MAX_FORMS = 1_000;

const compiled = new WeakMap<Snapshot, Map<string, CompiledForm>>();

/** `pointer` is what formPointer gave within the caller's own statement. */
export async function findForm(
  db: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  mode: FormMode,
  pointer: string | null,
): Promise<CompiledForm> {
  let known = compiled.get(snapshot);
  if (!known) {
    known = new Recent(MAX_FORMS);
    compiled.set(snapshot, known);
  }
  const key = `${type.key} ${type.alias} ${mode} ${pointer ?? "generated"} ${alikeKey(snapshot, type, caller, pointer)}`;
  let form = known.get(key);
  if (!form) {
    const [id] = pointer?.split(" ") ?? [];
    const saved = id === undefined ? undefined : await readForm(db, caller.organizationId, id);
    const definition = saved ?? generateForm(type);
    form = compileForm({ definition, type, snapshot, caller, mode, id: saved ? (id ?? null) : null });
    known.set(key, form);
  }
  return form;
}

/** Equal for callers to whom the form is the same. */
function alikeKey(snapshot: Snapshot, type: RecordType, caller: Caller, pointer: string | null): string {
  const types = [type, ...ownedAssociations(type).map((association) => childTypeOf(snapshot, association))];
  const masks = types.map((one) => fieldMask(one, caller).key);
  const related = type.associations.filter(isRelated).map((association) => {
    const far = snapshot.types.get(association.type);
    if (!far || !mayOperate(caller, far, "index")) return 0;
    return mayOperate(caller, far, "add") ? 2 : 1;
  });
  const starts = types.flatMap((one) =>
    [...one.startsFrom.values()].map(({ target, field }) => {
      const from = snapshot.types.get(target);
      return from && mayTakeOver(caller, from, field) ? 1 : 0;
    }),
  );
  // Only a saved form can name roles.
  const roles = pointer === null ? "" : caller.roles.map((role) => role.code).sort();
  const administrator = caller.isAdministrator ? "a" : "";
  const limits = caller.limits === undefined ? "" : readerOf(caller);
  return `${caller.language} ${limits} ${administrator} ${masks.join(" ")} ${related.join("")} ${starts.join("")} ${roles}`;
}

async function readForm(db: Queryable, organizationId: string, id: string): Promise<FormDefinition | undefined> {
  const row = await db.row(sql`
    select definition from core__forms where organization_id = ${organizationId}::bigint and id = ${id}::uuid`);
  // A form that was saved fits the schema; one that a later version no longer reads gives way to the generated one.
  const parsed = formSchema.safeParse(JSON.parse(row?.definition ?? "null"));
  return parsed.success ? parsed.data : undefined;
}
