// metadata/record_types/preview_computed: what a computed field of a design comes to on a few of the records that are there and that the
// designer may read. Changes nothing, the design need not be saved.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import { outdatedDesign } from "../../database/errors.ts";
import { expression, ident, quote, type Sql, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { freshlyComputed } from "../../query/computed/computed-values.ts";
import { textAt } from "../../request/tree.ts";
import { sentDefinition } from "./sent-definition.ts";

const MOST = 5;

export const previewComputed: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const caller = requireCaller(context);
    const { parameters } = context.call;
    const name = textAt(parameters, "field") ?? "";
    const { metadata, database } = context.services;
    const { snapshot, type } = await metadata.designed(sentDefinition(textAt(parameters, "definition")));
    if (!type.computed.has(name)) {
      throw new Failure("malformed_parameter", { with: { name: "field", reason: say("missing_field", { name }) } });
    }
    // Its own sources too must be the designer's to see.
    if (!metadata.current().types.has(type.key) || !fieldMask(type, caller).visible.has(name)) return none;
    const { joins, value } = freshlyComputed(snapshot, type, name, "r", caller.organizationId);
    try {
      const rows = await database.rows(sql`
        select r.id::text as id, ${nameOf(type)} as name, ${value}::text as value from (
          select r.* from ${ident(type.table)} r
          where ${mayRead(caller, type, "r")} and r.deleted = 0 order by r.id desc limit ${MOST}) as r${joins}
        order by r.id desc`);
      return { body: { data: { rows } } };
    } catch (error) {
      // It is worked out from fields that are not stored yet.
      if (outdatedDesign(error)) return none;
      throw error;
    }
  },
};

const none = { body: { data: { rows: [] } } } as const;

function nameOf(type: RecordType): Sql {
  const field = type.field.get(type.displayField);
  return field ? sql`(${expression(typeOf(field).select(field, (column) => `r.${quote(column)}`))})::text` : sql`null`;
}
