// core/comments mentionable: who can be mentioned in a comment on a record, that is, who may read it; by a few letters.
import { Failure } from "../../../../contract/failures.ts";
import { usersWhoRead } from "../../../access/readers.ts";
import { sql } from "../../../database/sql.ts";
import { addressed } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { idTypeOf } from "../../../query/lock-rows.ts";
import { textAt } from "../../../request/tree.ts";
import { mayOnRecord, recordOf } from "../related-record.ts";

const MOST = 8;

export const mentionable: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller } = addressed(context);
    const { database } = context.services;
    const { parameters } = context.call;
    const named = {
      related_type: textAt(parameters, "related_type") ?? null,
      related_id: textAt(parameters, "related_id") ?? null,
    };
    const record = recordOf(context, named);
    if (!record || !(await mayOnRecord({ transaction: database, caller }, "read", record))) {
      throw new Failure("record_not_found", { with: { type: record?.type.key ?? named.related_type ?? "" } });
    }
    // What people type is no pattern.
    const typed = (textAt(parameters, "search") ?? "").slice(0, 64).replace(/[\\%_]/gu, "\\$&");
    const begins = sql`(dossier_fold(u.user_name) like dossier_fold(${typed}) || '%'
      or dossier_fold(u.name) like dossier_fold(${typed}) || '%' or dossier_fold(u.name) like '% ' || dossier_fold(${typed}) || '%')`;
    const users = await database.rows(
      usersWhoRead(
        caller.organizationId,
        { ...record, idType: idTypeOf(record.type) },
        sql`u.id <> ${caller.userId}::bigint and ${begins}`,
        sql`order by u.name, u.id limit ${MOST}`,
      ),
    );
    return { body: { data: { users } } };
  },
};
