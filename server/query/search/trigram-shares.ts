// Keeps how common each trigram is in the searched texts of a large table, from a sample of its pages: taken behind the first
// search, and again every few hours.
import type { Database } from "../../database/database.ts";
import { apartFromClient } from "../../database/scope.ts";
import { ident, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { SEARCH_COLUMN } from "../../metadata/search-text.ts";
import type { TrigramShares } from "../../plan/search/rare-trigrams.ts";
import { shareOf, tableRows, tableSample } from "../table-rows.ts";

export interface KnownShares {
  /** As far as they are known by now. `rows`: how many the organization has, about. */
  of(type: RecordType, rows: number): TrigramShares | undefined;
  /** Until what is being counted is there. */
  settled(): Promise<void>;
}

/** Smaller tables are searched quickly in any case. */
const LEAST_ROWS = 20_000;
const SAMPLE_ROWS = 2_000;
/** Texts of a table change slowly; one that could not be sampled is left alone for a while. */
const KEPT_MS = 6 * 3_600_000;
const RETRY_MS = 600_000;

interface Shares {
  readonly of: TrigramShares["of"];
  readonly rows: number;
}

interface Sampled {
  readonly shares: Shares | undefined;
  readonly until: number;
}

export function createTrigramShares(db: Database, sampleRows = SAMPLE_ROWS): KnownShares {
  const sampled = new Map<string, Sampled>();
  let underWay: Promise<void> | undefined;

  const take = async (table: string): Promise<Shares | undefined> => {
    // There the organization says where its rows are: nothing may be looked up without it.
    if (await db.isDistributed()) return undefined;
    const rows = await tableRows(db, table);
    if (rows === 0) throw new Error(`how large ${table} is is not known yet`);
    const row = await db.row(sql`
      with texts as materialized (
          select ${ident(SEARCH_COLUMN)} as text from ${ident(table)} ${tableSample(shareOf(sampleRows, rows))} limit ${2 * sampleRows}::bigint),
        counted as (
          select trigram, count(*) as rows from texts, unnest(show_trgm(text)) as trigram
          where trigram ~ '^[a-z0-9]{3}$' group by trigram)
      select (select count(*) from texts)::text as seen, string_agg(trigram, ' ') as trigrams, string_agg(rows::text, ' ') as rows from counted`);
    const seen = Number(row?.seen ?? 0);
    if (seen === 0) throw new Error(`a sample of ${table} has no rows`);
    const counts = (row?.rows ?? "").split(" ").map(Number);
    const known = new Map(
      (row?.trigrams ?? "").split(" ").map((trigram, index) => [trigram, (counts[index] ?? 0) / seen]),
    );
    // One that the sample does not have is rarer than any that it has.
    const of = (trigram: string): number => known.get(trigram) ?? 0.5 / seen;
    return { of, rows };
  };

  return {
    of: ({ table, isSearchFilling }, rows) => {
      if (rows < LEAST_ROWS || isSearchFilling) return undefined;
      const known = sampled.get(table);
      if ((known === undefined || Date.now() >= known.until) && underWay === undefined) {
        const keep = (shares: Shares | undefined, forMs: number): void => {
          sampled.set(table, { shares, until: Date.now() + forMs });
          underWay = undefined;
        };
        underWay = apartFromClient(() => take(table)).then(
          (shares) => keep(shares, KEPT_MS),
          () => keep(known?.shares, RETRY_MS),
        );
      }
      const shares = known?.shares;
      if (!shares) return undefined;
      const tableSize = Math.max(shares.rows, rows);
      return { of: shares.of, organization: rows / tableSize, rows: tableSize };
    },
    settled: async () => underWay,
  };
}
