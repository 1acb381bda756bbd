// Which form a caller gets for a record type: the organisation's default one if it saved one, else the generated one;
// compiled once for all callers whom it treats alike, until the form, the record types or the roles change.
import type { Caller } from "../access/caller.ts";
import { fieldMask } from "../access/field-mask.ts";
import { mayOperate } from "../access/matrix.ts";
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { FormMode } from "./actions.ts";
import { childTypeOf, isRelated, ownedAssociations } from "./associations.ts";
import { type CompiledForm, compileForm } from "./compile-form.ts";
import { type FormDefinition, formSchema } from "./form-definition.ts";
import { generateForm } from "./generate-form.ts";

/** A scalar of a statement: `<id> <revision>` of the form in force, or NULL. The one that was saved last wins. */
export const formPointer = (caller: Caller, type: RecordType): Sql => sql`
  (select f.id || ' ' || f.revision from core__forms f
   where f.organization_id = ${caller.organizationId}::bigint and f.controller = ${type.key} and f.is_default = 1 and f.deleted = 0
   order by f.modified desc, f.id desc limit 1)`;

export interface FormFinder {
  /** `pointer` is what formPointer gave within the caller's own statement. */
  find(
    db: Queryable,
    snapshot: Snapshot,
    type: RecordType,
    caller: Caller,
    mode: FormMode,
    pointer: string | null,
  ): Promise<CompiledForm>;
}

const MAX_FORMS = 1_000;

export function createFormFinder(): FormFinder {
  const compiled = new Map<string, CompiledForm>();
  return {
    find: async (db, snapshot, type, caller, mode, pointer) => {
      const key = `${snapshot.version} ${type.key} ${mode} ${pointer ?? "generated"} ${alikeKey(snapshot, type, caller, pointer)}`;
      let form = compiled.get(key);
      if (!form) {
        const [id] = pointer?.split(" ") ?? [];
        const definition = id === undefined ? undefined : await readForm(db, caller.organizationId, id);
        form = compileForm({
          definition: definition ?? generateForm(type),
          type,
          snapshot,
          caller,
          mode,
          id: definition ? (id ?? null) : null,
        });
        if (compiled.size >= MAX_FORMS) compiled.clear();
        compiled.set(key, form);
      }
      return form;
    },
  };
}

/** Equal for callers to whom the form is the same. */
function alikeKey(snapshot: Snapshot, type: RecordType, caller: Caller, pointer: string | null): string {
  const masks = [type, ...ownedAssociations(type).map((association) => childTypeOf(snapshot, association))];
  const related = type.associations.filter(isRelated).map((association) => {
    const far = snapshot.types.get(association.type);
    return far && mayOperate(caller, far, "index") ? 1 : 0;
  });
  // Only a saved form can name roles.
  const roles = pointer === null ? "" : caller.roles.map((role) => role.code).sort();
  const administrator = caller.isAdministrator ? "a" : "";
  return `${administrator} ${masks.map((one) => fieldMask(one, caller).key).join(" ")} ${related.join("")} ${roles}`;
}

async function readForm(db: Queryable, organizationId: string, id: string): Promise<FormDefinition | undefined> {
  const row = await db.row(sql`
    select definition from core__forms where organization_id = ${organizationId}::bigint and id = ${id}::uuid`);
  // A form that was saved fits the schema; one that a later version no longer reads gives way to the generated one.
  const parsed = formSchema.safeParse(JSON.parse(row?.definition ?? "null"));
  return parsed.success ? parsed.data : undefined;
}
