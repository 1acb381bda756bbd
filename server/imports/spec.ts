// What an import is: which file, how it is read, which column goes where, and what is done with records that are there. Kept
// with its job, so that whoever goes on with it does the same.
import { z } from "zod";

export const importModes = ["add", "update", "upsert", "skip"] as const;
export type ImportMode = (typeof importModes)[number];

export const dialectSchema = z.object({
  format: z.enum(["csv", "xlsx", "json", "jsonl"]),
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]),
  separator: z.string().length(1),
  quote: z.string().max(1),
  headerRow: z.int().min(0).max(1_000),
  sheet: z.string().max(100),
});

export const mappedSchema = z.object({
  column: z.string(),
  /** A field, a part of one (`address.city`), or a field of a child (`lines.1.amount`, `lines.amount`). */
  target: z.string(),
  /** Of a reference: what to do where no record matches. */
  missing: z.enum(["report", "empty", "create"]).exactOptional(),
});
export type Mapped = Readonly<z.infer<typeof mappedSchema>>;

/** Texts by column. Any text can name one, also `__proto__`, which `z.record` leaves out. */
const cellsSchema = z.custom<Record<string, string | null>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((cell) => cell === null || typeof cell === "string"),
);

export const specSchema = z.object({
  fileName: z.string(),
  /** Where the file lies as it was uploaded, and as rows that can be taken up anywhere. */
  source: z.string(),
  staged: z.string(),
  dialect: dialectSchema,
  dateOrder: z.enum(["ymd", "dmy", "mdy"]),
  decimalSign: z.enum([".", ","]),
  mapping: z.array(mappedSchema),
  mode: z.enum(importModes),
  key: z.array(z.string()),
  /** Cells without a value: as if the column were not there, or taking the value out. */
  empty: z.enum(["leave", "clear"]),
  /** Values by field for what the file lacks. */
  defaults: z.record(z.string(), z.string()),
  /** Rows with the same key, one after the other, are one record with several children. */
  grouped: z.boolean(),
  /** By row, then by column: what is taken in place of what the file says. */
  corrections: z.record(z.string(), cellsSchema),
  dryRun: z.boolean(),
  /** The file's own, once it was read. */
  columns: z.array(z.string()).exactOptional(),
});
export type ImportSpec = Readonly<z.infer<typeof specSchema>>;

/** What a cell says once it was corrected. */
export function cellOf(
  { corrections }: Pick<ImportSpec, "corrections">,
  line: number,
  column: string,
  cell: string | null | undefined,
): string | null {
  const own = corrections[line];
  const corrected = own && Object.hasOwn(own, column) ? own[column] : undefined;
  return (corrected === undefined ? cell : corrected) ?? null;
}
