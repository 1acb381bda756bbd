// settings: what a saved mapping says, about fields that the caller may see. The record itself shows it to nobody.

import { mayRead } from "../../../access/visibility.ts";
import { sql } from "../../../database/sql.ts";
import { seenSettings } from "../../../imports/saved-settings.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";

export const mappingSettings: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type: own } = addressed(context);
    const { snapshot, services } = context;
    const id = requireRecordId(own, requireId(context));
    const row = await services.database.row(sql`
      select r.controller, r.settings::text as settings from core__import_mappings r
      where ${mayRead(caller, own, "r", "few")} and r.id = ${id}::bigint and r.deleted = 0`);
    const type = snapshot.types.get(row?.controller ?? "");
    if (!row || !type) throw noSuchRecord(own);
    return { body: { id, data: { settings: seenSettings({ snapshot, type, caller }, row.settings ?? null) } } };
  },
};
