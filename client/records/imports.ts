// Files that become records: uploading one, what was found in it, checking and running an import. A large import goes on as
// a job (jobs.ts).
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call, WireFile } from "../transport/transport.ts";
import type { ImportCounts, ImportFault } from "./jobs.ts";

export const importModes = ["add", "update", "upsert", "skip"] as const;
export type ImportMode = (typeof importModes)[number];

/** How a file is read. Parameters of the wire. */
export interface Dialect {
  readonly format: "csv" | "xlsx" | "json" | "jsonl";
  readonly encoding: string;
  readonly separator: string;
  readonly quote: string;
  readonly header_row: number;
  readonly sheet: string;
  readonly date_order: "dmy" | "mdy" | "ymd";
  readonly decimal_sign: "." | ",";
}

export interface NewField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeId;
  /** The column's different values, where they are few enough to choose from. */
  readonly options: readonly string[];
}

export interface ImportColumn {
  /** Unique in the file. */
  readonly name: string;
  readonly target: string | null;
  readonly by: "last" | "name" | "label" | "similar" | null;
  /** Why the field that it is called like can't be imported. */
  readonly reason?: string | null;
  readonly samples: readonly string[];
  /** For those who design: the field that a column without one could become. */
  readonly new_field: NewField | null;
}

/** Where a column can go. */
export interface ImportField {
  readonly path: string;
  /** The same by former names of the field. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly type: FieldTypeId;
  readonly required: 0 | 1;
  readonly unique: 0 | 1;
  readonly is_child: 0 | 1;
  /** The record type that its values name. */
  readonly references: RecordTypeKey | null;
}

export interface FoundFile {
  readonly file: { readonly id: string; readonly name: string; readonly size: number };
  readonly dialect: Dialect & { readonly sheets: readonly string[] };
  readonly columns: readonly ImportColumn[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly (string | null)[] }[];
  readonly fields: readonly ImportField[];
  /** For those who design: the types that a new field can have. */
  readonly field_types: readonly FieldTypeId[];
  readonly key: readonly string[];
  readonly mode: ImportMode;
  /** 1: rows with the same key are one record. */
  readonly grouped: 0 | 1;
}

/** Keeps the file for a day, for the caller alone. */
export async function uploadImport(
  call: Call,
  key: RecordTypeKey,
  file: File,
  dialect: Partial<Dialect>,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<FoundFile> {
  const body = { file, ...wireDialect(dialect) };
  return (await call<{ data: FoundFile }>(`${key}/import_columns`, { body, onProgress, signal })).data;
}

/** The same file, read in another way. */
export async function readImportColumns(
  call: Call,
  key: RecordTypeKey,
  file: string,
  dialect: Partial<Dialect>,
  signal?: AbortSignal,
): Promise<FoundFile> {
  const query = { file, ...wireDialect(dialect) };
  return (await call<{ data: FoundFile }>(`${key}/import_columns`, { query, signal })).data;
}

/** No quotes are said by a word: an empty parameter is none. */
export const wireDialect = ({ quote, ...rest }: Partial<Dialect>): Partial<Dialect> => ({
  ...rest,
  ...(quote === undefined ? {} : { quote: quote === "" ? "none" : quote }),
});

export type MappedColumn = string | { readonly field: string; readonly missing: "empty" | "create" };

/** What can be kept and used again with another file. */
export interface ImportSettings extends Partial<Dialect> {
  readonly mapping: Readonly<Record<string, MappedColumn>>;
  readonly mode: ImportMode;
  readonly key?: string;
  readonly empty: "leave" | "clear";
  readonly defaults: Readonly<Record<string, string>>;
  readonly grouped?: "1";
  readonly override_duplicates?: "1";
}

export interface ImportRequest extends ImportSettings {
  readonly file: string;
  readonly corrections: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dry_run?: "1";
}

export interface ImportAnswer {
  readonly jobId: string;
  /** Undefined: it goes on as a job. */
  readonly outcome: { readonly counts: ImportCounts; readonly faults: readonly ImportFault[] } | undefined;
}

export async function runImport(call: Call, key: RecordTypeKey, body: ImportRequest): Promise<ImportAnswer> {
  const answer = await call<{
    job_id: string;
    is_queued: 0 | 1;
    data?: { counts: ImportCounts; faults: readonly ImportFault[] };
  }>(`${key}/import`, { body });
  return { jobId: answer.job_id, outcome: answer.is_queued === 1 ? undefined : answer.data };
}

/** The rows that failed, with a column of reasons. */
export const readFaultyRows = (call: Call, jobId: string): Promise<WireFile> =>
  call.file("core/jobs/faulty_rows", { query: { id: jobId } });
