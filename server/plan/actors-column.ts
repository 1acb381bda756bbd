// `current_workflow_actors`: whom a record waits for. It is no field but told by the record's access set; who sees the stage
// sees it. Conditions compare it with users: it is somebody's turn by itself, by a role or by a group. Never sorted by.
import { fieldMask } from "../access/field-mask.ts";
import type { Field } from "../fields/field-type.ts";
import { fieldTypes } from "../fields/index.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType } from "../metadata/snapshot.ts";
import type { ColumnRef, Scope } from "./column.ts";
import type { FilterPlan } from "./filter-plan.ts";
import type { ValueType } from "./value.ts";

export const ACTORS = "Current Workflow Actors";
export const ACTORS_COLUMN = "current_workflow_actors";
const USERS = "access_controls/users";

/** What a change of who acts for whom is written to. */
const deciding = [
  USERS,
  "access_controls/roles",
  "access_controls/roles_users",
  "access_controls/groups",
  "access_controls/group_members",
];

export const namesActors = (name: string, type: RecordType): boolean =>
  ["{{MODEL}}", ...type.names].some((alias) => name === `${alias}.${ACTORS_COLUMN}`) || name === ACTORS_COLUMN;

/** The column of a list; undefined for any other name, and for those who do not see the stage. */
export function actorsRef({ type, caller }: Scope, name: string): ColumnRef | undefined {
  const stage = namesActors(name, type) ? type.field.get("current_stage") : undefined;
  if (!stage || !fieldMask(type, caller).visible.has(stage.name)) return undefined;
  const field: Field = {
    ...stage,
    name: "acl_id",
    label: "Current workflow actors",
    type: "short-text",
    settings: {},
    sortable: false,
  };
  return { steps: [], type, field, name: `${type.alias}.${ACTORS_COLUMN}` };
}

/** What the column is compared with. */
export const actorsValue = ({ field }: ColumnRef): ValueType => ({
  type: fieldTypes.reference,
  field: { ...field, name: ACTORS_COLUMN, type: "reference", settings: { to: USERS, idKind: "integer" } },
  columns: [],
  by: "column",
  parsed: true,
  sqlType: "bigint",
});

/** A comparison with users as the question whether it is their turn. */
export function asTurn(scope: Scope, plan: FilterPlan): FilterPlan {
  const turn = (users: readonly string[], orNobody: boolean): FilterPlan => ({
    kind: "turn",
    users,
    orNobody,
    deciding: deciding.map((key) => requireType(scope.snapshot, key)),
  });
  switch (plan.kind) {
    case "not":
      return { kind: "not", of: asTurn(scope, plan.of) };
    case "null":
      return turn([], true);
    case "among":
      return turn(plan.values, plan.orNull);
    case "compare":
      return plan.operator === "!=" ? { kind: "not", of: turn([plan.value], false) } : turn([plan.value], false);
    default:
      throw new Error(`actors are not compared by ${plan.kind}`);
  }
}
