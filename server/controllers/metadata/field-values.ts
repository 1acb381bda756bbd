// metadata/record_types/values: what a text field holds, most frequent first, for a designer who makes options of it. Only values of records
// that the caller may read, and only so many records are looked at. Changes nothing.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import { ident, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import { wireOf } from "../../metadata/redesign.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";

/** As many options as people still choose from. */
const MOST_VALUES = 100;
const MOST_RECORDS = 200_000;
/** As long as the value of an option can be. */
const LONGEST = 100;

export const values: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const { parameters } = context.call;
    const type = requireType(context.snapshot, textAt(parameters, "key") ?? "");
    const name = textAt(parameters, "field") ?? "";
    const field = type.field.get(name);
    const caller = requireCaller(context);
    const isText =
      field && !field.system && typeOf(field).value === "text" && fieldMask(type, caller).visible.has(name);
    if (!isText) {
      const reason = say("missing_field", { name });
      throw new Failure("malformed_parameter", { with: { name: "field", reason } });
    }
    const rows = await context.services.database.rows(sql`
      with looked as (
        select (${wireOf(field)})::text as value from ${ident(type.table)} r
        where r.deleted = 0 and ${mayRead(caller, type, "r")} order by r.id desc limit ${MOST_RECORDS}::integer)
      select value, count(*)::text as count, (select count(*) from looked)::text as looked
      from looked where value is not null and char_length(value) <= ${LONGEST}::integer
      group by value order by count(*) desc, value limit ${MOST_VALUES + 1}::integer`);
    const found = rows.slice(0, MOST_VALUES).map(({ value, count }) => ({ value: value ?? "", count: Number(count) }));
    const isAll = rows.length <= MOST_VALUES && Number(rows[0]?.looked ?? 0) < MOST_RECORDS;
    return { body: { data: { values: found, is_all: isAll ? 1 : 0 } } };
  },
};
