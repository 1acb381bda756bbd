// Takes a ReadPlan; gives the one statement that reads the record and all its children: a row per record, the
// first column the number of the part that it belongs to, the second all its columns. The record's own row ends with what only it
// has: rights, access set, form, the versions of the tables whose names may be kept in memory, and where it is in its workflow.
import { ACL_SETS } from "../access/acl-sets.ts";
import { factTables } from "../access/principal-lookup.ts";
import { may, mayRead, wall } from "../access/visibility.ts";
import { expression, quote, type Sql, sql } from "../database/sql.ts";
import { versionsOf } from "../database/versions.ts";
import { isOwned } from "../metadata/associations.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import type { ReadPart, ReadPlan } from "../plan/plan-read.ts";
import { formPointer } from "./form-pointer.ts";
import { MARK, reusable } from "./reusable.ts";
import { lastStepOf, stageOf, startsIn } from "./workflow-pointer.ts";

/** A record brings at most this many children of each association along. */
export const MAX_CHILDREN = 1_000;

/** Columns after the part's: what only the record has. */
export const RECORD_EXTRAS = 9;

/** All columns of a part as one row value: cast one by one they cost more than all the rest of the statement. */
export const columnsOf = (part: ReadPart): Sql =>
  expression(`row(${part.columns.map((column) => `r.${quote(column)}`).join(", ")})::text`);

/** By the parts of a plan, which belong to one caller: only the id differs from one reading to the next. */
const written = new WeakMap<ReadPlan["parts"], (id: string) => Sql>();

export function compileRead(plan: ReadPlan): Sql {
  let again = written.get(plan.parts);
  if (!again) {
    again = reusable(writeRead({ ...plan, id: MARK }));
    written.set(plan.parts, again);
  }
  return again(plan.id);
}

/** Who acts in a workflow is looked up among these. */
export const peopleTables = (type: RecordType): readonly RecordTypeKey[] =>
  type.field.has("current_stage") ? factTables : [];

/** What names depend on: the access sets, then each referenced table, then those of people. */
const nameTables = ({ type: own, caller, referenced }: ReadPlan) => [
  { organizationId: caller.organizationId, recordType: ACL_SETS },
  ...referenced.map((type) => ({
    organizationId: type.scope === "shared" ? "0" : caller.organizationId,
    recordType: type.key,
  })),
  ...peopleTables(own).map((recordType) => ({ organizationId: caller.organizationId, recordType })),
];

/** What a record owns is read with it; what only comes along has rights of its own. */
const isTheirOwn = ({ association }: ReadPart): boolean => association !== undefined && isOwned(association);

function writeRead(plan: ReadPlan): Sql {
  const { type, caller, parts } = plan;
  const none = expression(", null::text".repeat(RECORD_EXTRAS));
  const idType = expression(type.idKind === "uuid" ? "uuid" : "bigint");
  const [own, ...children] = parts;
  if (own === undefined) throw new Error("a read plan starts with the record itself");
  const aclId = type.scope === "shared" ? sql`null::text` : sql`r.acl_id::text`;
  // A deleted record is there for those who may bring it back.
  let statement = sql`
    select '0'::text, ${columnsOf(own)}, ${may("edit", caller, type, "r", "few")}::integer::text,
      ${may("delete", caller, type, "r", "few")}::integer::text, ${may("comment", caller, type, "r", "few")}::integer::text, ${aclId},
      ${formPointer(caller, type)}, ${versionsOf(nameTables(plan))}, ${stageOf(type)}, ${startsIn(caller, type)},
      ${lastStepOf(caller, type)}
    from ${expression(quote(type.table))} r
    where ${mayRead(caller, type, "r", "few")} and r.id = ${plan.id}::${idType}
      and (r.deleted = 0 or ${may("delete", caller, type, "r", "few")})`;
  // This text is planned once, maybe before PostgreSQL knows anything of the table. `deleted + 0` and the order keep it
  // from the indexes that only know the organization: it once walked 3,000 rows of one to find two children.
  children.forEach((part, index) => {
    const { association } = part;
    const tie =
      association?.kind === "has-many"
        ? sql`r.${expression(quote(association.via))} = ${plan.id}::${idType}`
        : sql`r.related_type = ${type.key} and r.related_id = ${plan.id}`;
    statement = sql`${statement}
    union all (select ${expression(`'${index + 1}'::text`)}, ${columnsOf(part)}${none}
    from ${expression(quote(part.type.table))} r
    where ${isTheirOwn(part) ? wall(caller, part.type, "r") : mayRead(caller, part.type, "r", "few")} and ${tie} and r.deleted + 0 = 0 order by r.created, r.id limit ${MAX_CHILDREN})`;
  });
  return statement;
}
