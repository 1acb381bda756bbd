// import_rates: takes a file of the European Central Bank's reference rates; adds those that are new and changes those
// that differ, all in one transaction. Sending the same file again changes nothing.

import { readFile } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { grantWithin } from "../../access/grant.ts";
import { recordChanges } from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { sql } from "../../database/sql.ts";
import { EcbFault, type EcbRate, readEcbRates } from "../../lib/ecb-rates.ts";
import { decimalOf, decimalText, round } from "../../lib/exact-math.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { addressed } from "../../operations/addressed.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { runWrite } from "../../operations/write.ts";
import { updateRows } from "../../query/update-row.ts";
import { noteChange } from "../../records/computed/touched.ts";
import { writeRevisions } from "../../records/history/revisions.ts";
import { settle, type Work } from "../../records/hooks.ts";
import { insertRows } from "../../records/save/insert-rows.ts";
import { inMebibytes } from "../../request/limits.ts";
import { shown, type UploadedFile } from "../../request/tree.ts";

const MOST_BYTES = 16 * 1024 * 1024;
/** The bank's whole history has a little over 200,000. */
const MOST_RATES = 300_000;
const BATCH = 2_500;
const SOURCE = "European Central Bank";
const DECIMALS = 6;
const LOCK = 7_361_024;

export const importRates: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "import",
  run: async (context) => {
    const { type } = addressed(context);
    const rates = await ratesOf(uploaded(context));
    return runWrite(context, async (work) => {
      grantWithin(work.caller, type, "add", work.hooks);
      const { added, changed, same, unknown } = await writeRates(work, type, rates);
      await audit(work.transaction, work.snapshot, {
        organizationId: work.caller.organizationId,
        event: "bulk",
        userId: work.caller.userId,
        userName: work.caller.userName,
        address: context.request.address,
        subject: { type: type.key, id: "", name: "Import exchange rates" },
        detail: { kind: "import", controller: type.key, added, changed },
      });
      const sentences = [
        say("rates_imported", { added, changed, same }),
        ...(unknown.length > 0 ? [say("currencies_skipped", { codes: unknown })] : []),
      ];
      return async () => ({ message: sentences, body: { data: { added, changed, same, unknown } } });
    });
  },
};

function uploaded({ call }: OperationContext): UploadedFile {
  const [file, ...others] = call.files;
  if (!file || others.length > 0) {
    const reason = say("rates_file");
    throw new Failure("malformed_parameter", { with: { name: "file", reason } });
  }
  if (file.size > MOST_BYTES) throw new Failure("too_large", { with: { limit: inMebibytes(MOST_BYTES) } });
  return file;
}

const DAY = 86_400_000;

async function ratesOf(file: UploadedFile): Promise<readonly EcbRate[]> {
  const text = await readFile(file.path, "utf8");
  // It may be tomorrow already where the file comes from.
  const latest = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const rates: EcbRate[] = [];
  try {
    for (const rate of readEcbRates(text, latest)) {
      if (rates.push(rate) > MOST_RATES) {
        throw new EcbFault(rate.line, say("too_many_rates", { max: MOST_RATES }));
      }
      if (rates.length % BATCH === 0) await breathe();
    }
  } catch (error) {
    if (error instanceof EcbFault) {
      const reason = say("in_line", { file: shown(file.fileName), line: error.line, reason: error.reason });
      throw new Failure("malformed_parameter", { with: { name: "file", reason } });
    }
    throw error;
  }
  return rates;
}

interface Written {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** Codes that are not among our currencies. */
  readonly unknown: readonly string[];
}

async function writeRates(work: Work, type: RecordType, rates: readonly EcbRate[]): Promise<Written> {
  const { transaction, snapshot, caller } = work;
  const { organizationId, userId } = caller;
  // Two imports at once would both find a rate missing.
  await transaction.run(sql`select pg_advisory_xact_lock(${LOCK}::integer, hashint8(${organizationId}::bigint))`);
  const currencies = await transaction.rows(sql`
    select id::text as id, code from masters__currencies where deleted = 0`);
  const idOf = new Map(currencies.map(({ id, code }) => [code ?? "", id ?? ""]));
  const base = idOf.get("EUR");
  if (base === undefined) throw new Failure("conflict", { with: { reason: say("no_euro") } });
  const stored = await transaction.rows(sql`
    select id::text as id, currency_id::text as currency, date::text as date, rate::text as rate, revision::text as revision,
      acl_id::text as acl_id
    from masters__exchange_rates
    where organization_id = ${organizationId}::bigint and deleted = 0 and base_id = ${base}::bigint
      and date = any(${[...new Set(rates.map(({ date }) => date))]}::date[])`);
  const known = new Map(stored.map((row) => [`${row.date} ${row.currency}`, row]));
  const unknown = new Set<string>();
  const fresh: Record<string, string>[] = [];
  const moved: { readonly row: (typeof stored)[number]; readonly rate: string }[] = [];
  for (const { date, currency, rate: sent } of rates) {
    const id = idOf.get(currency);
    if (id === undefined) {
      unknown.add(currency);
      continue;
    }
    const rate = decimalText(round(decimalOf(sent), DECIMALS));
    const row = known.get(`${date} ${id}`);
    const authors = { owned_by: userId, created_by: userId, modified_by: userId };
    if (!row) fresh.push({ date, base_id: base, currency_id: id, rate, source: SOURCE, ...authors });
    else if (row.rate !== rate) moved.push({ row, rate });
  }
  await insertRows(transaction, snapshot, type, organizationId, fresh);
  for (let from = 0; from < moved.length; from += BATCH) {
    const some = moved.slice(from, from + BATCH);
    const updates = some.map(({ row, rate }) => ({
      id: row.id ?? "",
      columns: { rate, source: SOURCE },
      aclId: undefined,
    }));
    await transaction.run(updateRows(type, caller, updates));
    await recordChanges(
      transaction,
      organizationId,
      type.key,
      some.map(({ row }) => ({
        aclId: row.acl_id ?? "0",
        delta: 0,
        ...eventOf(type, row.id, "edit", String(Number(row.revision) + 1)),
      })),
    );
    for (const { row } of some) noteChange(work, type, row.id ?? "", ["rate", "source"]);
    await writeRevisions(
      work,
      some.map(({ row, rate }) => ({
        type,
        id: row.id ?? "",
        number: String(Number(row.revision) + 1),
        operation: "edit",
        changes: JSON.stringify({ rate: { from: row.rate ?? null, to: rate } }),
      })),
    );
  }
  await settle(work);
  const skipped = rates.filter(({ currency }) => unknown.has(currency)).length;
  return {
    added: fresh.length,
    changed: moved.length,
    same: rates.length - skipped - fresh.length - moved.length,
    unknown: [...unknown].sort(),
  };
}
