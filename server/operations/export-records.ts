// export: all rows of a list, or all of its groups, as a file: CSV, XLSX or JSON. Takes the list's own parameters; page
// and limit do not count, an export is whole.
import { Failure } from "../../contract/failures.ts";
import { audit } from "../access/audit.ts";
import { exportGroups, exportRows } from "../records/export-table.ts";
import { type ExportFormat, exportFormats, writeExport } from "../records/write-export.ts";
import { parseListParameters } from "../request/list-parameters.ts";
import { shown, textAt } from "../request/tree.ts";
import type { Operation } from "./operation.ts";
import { currentView, isOwnList, planView } from "./plan-view.ts";

const isFormat = (text: string): text is ExportFormat => Object.hasOwn(exportFormats, text);

export const exportRecords: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: true,
  matrix: "export",
  async run({ caller, type, call, services, snapshot, request, time }) {
    if (!caller || !type) throw new Failure("login_required");
    const parameters = parseListParameters(call.parameters);
    const format = textAt(call.parameters, "format")?.toLowerCase() ?? "csv";
    if (!isFormat(format)) {
      const reason = `must be one of ${Object.keys(exportFormats).join(", ")}, not "${shown(format)}"`;
      throw new Failure("malformed_parameter", { with: { name: "format", reason } });
    }
    const view = await currentView(
      services,
      () => services.lists.views.choose(snapshot, caller, type, parameters.viewId, !isOwnList(parameters)),
      caller.organizationId,
    );
    const planned = planView({ snapshot, type, caller, now: new Date() }, view, parameters);
    const { connection } = services.database;
    const table =
      planned.kind === "rows" ? exportRows(connection, planned.plan) : exportGroups(connection, planned.plan);
    const title = planned.plan.view.name;
    const bom = textAt(call.parameters, "bom") === "1";
    await audit(services.database, snapshot, {
      organizationId: caller.organizationId,
      event: "export",
      userId: caller.userId,
      userName: caller.userName,
      address: request.address,
      subject: { type: type.key, id: view.id ?? "", name: title },
      detail: { format },
    });
    const content = await time("query", () => writeExport(table, format, { title, controller: type.key, bom }));
    return {
      headers: { "content-disposition": disposition(`${title} ${new Date().toISOString().slice(0, 10)}.${format}`) },
      raw: { contentType: exportFormats[format].contentType, content },
    };
  },
};

/** Both spellings of a file's name: for every program, and with all its letters (RFC 6266). */
function disposition(name: string): string {
  const safe = name.replace(/[\p{Cc}"\\/:*?<>|]/gu, " ");
  const plain = safe.normalize("NFKD").replace(/[^\x20-\x7e]/gu, "");
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
