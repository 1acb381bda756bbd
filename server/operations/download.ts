// download: a file that a record holds, or its thumbnail, to those who may read the record and see the field. By ranges, if
// asked; shown in a browser only where that is safe, and then in a sandbox.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { fieldMask } from "../access/field-mask.ts";
import { findForm } from "../forms/find-form.ts";
import { contentDisposition } from "../lib/writing/content-disposition.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { heldFile } from "../query/held-file.ts";
import { fileFields } from "../records/save/uploads.ts";
import { parseRange } from "../request/range.ts";
import { textAt } from "../request/tree.ts";
import { addressed, requireId } from "./addressed.ts";
import type { Operation, OperationContext } from "./operation.ts";

const shownInBrowser = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "application/pdf"]);

interface HeldFile {
  readonly key: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number | undefined;
}

export const download: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { type } = addressed(context);
    const { call, services } = context;
    const { key, name, mimeType, ...file } = await findFile(context);
    const size = file.size ?? (await services.files.stat(key));
    if (size === undefined) throw noSuchRecord(type);
    // Under a key there is always the same: the key is as good as a digest, and says less.
    const etag = `"${key}"`;
    const asked = call.ifRange === undefined || call.ifRange === etag ? call.range : undefined;
    const range = parseRange(asked, size);
    if (range === "unsatisfiable") {
      const headers = { "content-range": `bytes */${size}` };
      throw new Failure("range_not_satisfiable", { with: { size }, headers });
    }
    const headers: Record<string, string> = {
      etag,
      "accept-ranges": "bytes",
      // Kept by the browser, asked about every time: who may read a record changes.
      "cache-control": "private, no-cache",
      "content-disposition": contentDisposition(
        shownInBrowser.has(mimeType) && !wantsFile(context) ? "inline" : "attachment",
        name,
      ),
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox",
      "content-length": String(range ? range.end - range.start + 1 : size),
      ...(range ? { "content-range": `bytes ${range.start}-${range.end}/${size}` } : {}),
    };
    const content = await services.files.get(key, range);
    if (!content) throw noSuchRecord(type);
    return { status: range ? 206 : 200, headers, raw: { contentType: mimeType, content } };
  },
};

const wantsFile = ({ call }: OperationContext): boolean => textAt(call.parameters, "as") === "attachment";

async function findFile(context: OperationContext): Promise<HeldFile> {
  const { caller, type } = addressed(context);
  const { call, snapshot, services } = context;
  const id = requireRecordId(type, requireId(context));
  const { visible } = fieldMask(type, caller);
  const wanted = textAt(call.parameters, "field");
  const field = fileFields(type).find(({ name }) => visible.has(name) && (wanted === undefined || name === wanted));
  if (!field) {
    const reason = say("no_file_field", { type: type.key });
    throw new Failure("malformed_parameter", { with: { name: "field", reason } });
  }
  const row = await services.database.row(heldFile(caller, type, id, field.name));
  const form = row && (await findForm(services.database, snapshot, type, caller, "view", row.form ?? null));
  if (!row || form?.hidden.has(field.name)) throw noSuchRecord(type);
  const name = row.file_name ?? "file";
  if (textAt(call.parameters, "thumbnail") !== "1") {
    return { key: row.storage_key ?? "", name, mimeType: row.mime_type ?? "", size: Number(row.size) };
  }
  if (row.thumbnail_key == null) throw noSuchRecord(type);
  return { key: row.thumbnail_key, name: `${name}.webp`, mimeType: "image/webp", size: undefined };
}
