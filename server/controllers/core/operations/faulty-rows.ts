// faulty_rows: the rows of an import that failed, as a CSV with the columns of the file and one of reasons, to be mended and
// imported again. Written as the export writes: no cell of it is run as a formula.
import { Readable } from "node:stream";
import { z } from "zod";
import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { writeAll } from "../../../../contract/texts/write.ts";
import { sql } from "../../../database/sql.ts";
import { storedJson } from "../../../database/stored-json.ts";
import { UnreadableFile } from "../../../imports/reading/unreadable.ts";
import { cellOf, type ImportSpec } from "../../../imports/spec.ts";
import { placeSchema, readStaged, writtenCells } from "../../../imports/stage.ts";
import { readJob } from "../../../jobs/store.ts";
import { contentDisposition } from "../../../lib/writing/content-disposition.ts";
import { csvLine } from "../../../lib/writing/spreadsheet-text.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { visible } from "./jobs.ts";

const failedSchema = z.record(z.string(), z.array(z.string()));

export const faultyRows: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { database } = context.services;
    const id = requireRecordId(type, requireId(context));
    const job = (await database.row(visible(caller, type, id))) && (await readJob(database, caller.organizationId, id));
    if (!job) throw noSuchRecord(type);
    const spec = job.input.import;
    if (!spec) throw new Failure("conflict", { with: { reason: say("import_no_faulty_rows") } });
    const parts = written(context, id, spec);
    // Before anything is answered: what is gone is told, not cut off.
    const first = await parts.next().catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error;
      throw new Failure("conflict", { with: { reason: say("import_rows_gone") }, cause: error });
    });
    const name = `${spec.fileName.replace(/\.[^.]{1,10}$/u, "")} (faults).csv`;
    return {
      headers: { "content-disposition": contentDisposition("attachment", name) },
      raw: {
        contentType: "text/csv; charset=utf-8",
        content: Readable.from(following(first, parts), { objectMode: true, highWaterMark: 1 }),
      },
    };
  },
};

async function* following(
  first: IteratorResult<Buffer, void>,
  parts: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  if (!first.done) yield first.value;
  yield* parts;
}

/** The header comes with the first rows. */
async function* written(context: OperationContext, jobId: string, spec: ImportSpec): AsyncGenerator<Buffer, void> {
  const columns = spec.columns ?? [];
  const { caller } = addressed(context);
  const { database, files } = context.services;
  const [reasons = "Reasons"] = writeAll([say("import_reasons")], context.language);
  let header = csvLine([...columns, reasons]);
  for (let after = -1; ; ) {
    const row = await database.row(sql`
      select number::text as number, place::text as place, failed::text as failed from core__job_chunks c
      where organization_id = ${caller.organizationId}::bigint and job_id = ${jobId}::bigint and failed is not null
        and place is not null and number > ${after} order by c.number limit 1`);
    if (!row) {
      if (header !== "") yield Buffer.from(header);
      return;
    }
    after = Number(row.number);
    const failed = storedJson(failedSchema, row.failed, "core__job_chunks.failed");
    const records = await readStaged(files, spec.staged, storedJson(placeSchema, row.place, "core__job_chunks.place"));
    const lines = records.flatMap((record) => {
      const said = failed[record[0]?.line ?? ""];
      return said
        ? record.map((row, index) => {
            // As it failed: what was corrected before stays so.
            const cells = writtenCells(row, spec);
            const own = columns.map((column, at) => cellOf(spec, row.line, column, cells[at]));
            return csvLine([...own, index === 0 ? said.join("; ") : null]);
          })
        : [];
    });
    yield Buffer.from(header + lines.join(""));
    header = "";
  }
}
