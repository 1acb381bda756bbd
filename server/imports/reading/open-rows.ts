// Takes a file and what is known of it; gives its rows in batches, and the names of its columns: each once, whatever the file
// says twice.
import { say } from "../../../contract/messages.ts";
import { readCsv } from "./csv.ts";
import { type ColumnNames, readJson } from "./json.ts";
import { charactersOf, type Dialect, limits, type SourceRow, UnreadableFile } from "./unreadable.ts";
import { readXlsx } from "./xlsx.ts";

export interface OpenRows {
  /** Without the row that names the columns. */
  readonly batches: AsyncGenerator<readonly SourceRow[], void>;
  /** Known once the first batch is there; of JSON it grows as the file is read. */
  columns(): readonly string[];
}

export function openRows(path: string, dialect: Dialect, folder: string): OpenRows {
  if (dialect.format === "json" || dialect.format === "jsonl") {
    const names: ColumnNames = new Map();
    return { batches: counted(readJson(path, dialect, names)), columns: () => [...names.keys()] };
  }
  const source = dialect.format === "csv" ? readCsv(path, dialect) : readXlsx(path, dialect.sheet, folder);
  let columns: string[] = [];
  /** What the names are found in, held until they are known. */
  const begin = async (): Promise<SourceRow[][]> => {
    const batches: SourceRow[][] = [];
    let count = 0;
    let held = 0;
    while (count < limits.namingRows && held < limits.namingCharacters) {
      const { done, value } = await source.next();
      if (done) break;
      batches.push(value);
      count += value.length;
      held += value.reduce((sum, row) => sum + charactersOf(row), 0);
    }
    if (count === 0) return [];
    const first = batches.flat();
    const header = dialect.headerRow > 0 ? first.find(({ line }) => line >= dialect.headerRow) : undefined;
    if (dialect.headerRow > 0 && !header) throw new UnreadableFile(say("import_no_header", { row: dialect.headerRow }));
    const after = header?.line ?? 0;
    columns = namesOf(
      header?.cells ?? [],
      first.filter(({ line }) => line > after),
    );
    return batches.map((batch) => batch.filter(({ line }) => line > after));
  };
  const named = async function* (): AsyncGenerator<readonly SourceRow[], void> {
    try {
      const first = await begin();
      for (let batch = first.shift(); batch; batch = first.shift()) yield batch;
      yield* source;
    } finally {
      await source.return();
    }
  };
  return { batches: counted(named()), columns: () => columns };
}

/** A name for each column, made unique: `Name`, `Name (2)`, `Column 3`. */
function namesOf(header: SourceRow["cells"], rows: readonly SourceRow[]): string[] {
  const count = rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length);
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const base =
      (header[index] ?? "")
        .replace(/^\ufeff/u, "")
        .replace(/\s+/gu, " ")
        .trim()
        .slice(0, limits.nameCharacters)
        // No half of a character.
        .toWellFormed() || `Column ${index + 1}`;
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base} (${number})`;
    taken.add(name);
    return name;
  });
}

async function* counted(
  batches: AsyncGenerator<readonly SourceRow[], void>,
): AsyncGenerator<readonly SourceRow[], void> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    if (rows > limits.rows) throw new UnreadableFile(say("import_too_many_rows", { max: limits.rows }));
    yield batch;
  }
}
