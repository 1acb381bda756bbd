// export: all rows of a list, or all of its groups, as a file: CSV, XLSX or JSON. Takes the list's own parameters, and
// which records of it are meant; page and limit do not count, an export is whole.

import path from "node:path";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { audit } from "../access/audit.ts";
import { readVersions } from "../database/versions.ts";
import { contentDisposition } from "../lib/writing/content-disposition.ts";
import { ownedAssociations } from "../metadata/associations.ts";
import { rateTables } from "../records/list/exchange-rates.ts";
import { exportGroups, exportRows } from "../records/list/export-table.ts";
import { groupTables, hasMoney } from "../records/list/groups/run-groups.ts";
import { readOnReplica } from "../records/list/read-on-replica.ts";
import { tablesOf } from "../records/list/run-list.ts";
import { type ExportFormat, exportFormats, writeExport } from "../records/list/write-export.ts";
import { parseListParameters } from "../request/list-parameters.ts";
import { flagAt, shown, textAt } from "../request/tree.ts";
import type { Operation } from "./operation.ts";
import { currentView, isOwnList, planView } from "./plan-view.ts";
import { narrowed } from "./selection.ts";

const isFormat = (text: string): text is ExportFormat => Object.hasOwn(exportFormats, text);

export const exportRecords: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: true,
  matrix: "export",
  async run({ caller, type, call, services, snapshot, request, time }) {
    if (!caller || !type) throw new Failure("login_required");
    const parameters = narrowed(type, call.parameters, parseListParameters(call.parameters));
    const format = textAt(call.parameters, "format")?.toLowerCase() ?? "csv";
    if (!isFormat(format)) {
      const reason = say("must_be_one_of_not", { options: Object.keys(exportFormats), sent: `"${shown(format)}"` });
      throw new Failure("malformed_parameter", { with: { name: "format", reason } });
    }
    const view = await currentView(
      services,
      () => services.lists.views.choose(snapshot, caller, type, parameters.viewId, !isOwnList(parameters)),
      caller.organizationId,
    );
    const planned = planView({ snapshot, type, caller, now: new Date() }, view, parameters);
    const title = planned.plan.view.name;
    const name = `${title} ${new Date().toISOString().slice(0, 10)}.${format}`;
    const headers = { "content-disposition": contentDisposition("attachment", name) };
    const { contentType } = exportFormats[format];
    // Who asks for the head alone takes nothing with it.
    if (call.headOnly) return { headers, raw: { contentType, content: "" } };
    const rates = hasMoney(planned.plan)
      ? await services.lists.rates.today(caller, await readVersions(services.database, rateTables(caller)))
      : undefined;
    const folder = path.join(services.config.dataDir, "tmp");
    const bom = textAt(call.parameters, "bom") === "1";
    const withChildren = flagAt(call.parameters, "children");
    await audit(services.database, snapshot, {
      organizationId: caller.organizationId,
      event: "export",
      userId: caller.userId,
      userName: caller.userName,
      address: request.address,
      subject: { type: type.key, id: view.id ?? "", name: title },
      detail: { format },
    });
    const own = planned.kind === "rows" ? tablesOf(planned.plan) : groupTables(planned.plan);
    const children = withChildren ? ownedAssociations(type).map(({ type: recordType }) => recordType) : [];
    const { organizationId } = caller;
    const tables = [...own, ...children.map((recordType) => ({ organizationId, recordType }))];
    const content = await time("query", () =>
      readOnReplica(services.lists, planned.plan, tables, (from) => {
        const table =
          planned.kind === "rows"
            ? exportRows(from, planned.plan, rates, withChildren)
            : exportGroups(from, planned.plan, rates);
        return writeExport(table, format, { title, controller: type.key, bom, folder });
      }),
    );
    return { headers, raw: { contentType, content } };
  },
};
