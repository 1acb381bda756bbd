// Blocks of cells as the clipboard carries them: tab-separated text with quotes, as spreadsheets write and read it, or
// comma-separated text. Pure.

export type Block<Cell = string> = readonly (readonly Cell[])[];

/** Where a cell that begins in quotes ends; undefined: they are part of what it says. */
function closingQuote(text: string, mark: string, at: number): number | undefined {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end >= 0 && [undefined, "\n", mark].includes(text[end + 1]) ? end : undefined;
}

/** Looks for the next one only where the last that was found is passed: a text without any is searched once. */
function seeker(text: string, sought: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(sought, from);
    if (found < 0) found = text.length;
    return found;
  };
}

/** Lines of cells; a cell in quotes may hold the mark, line breaks and doubled quotes. */
function split(text: string, mark: string): string[][] {
  const lines: string[][] = [[]];
  const [nextMark, nextLine] = [seeker(text, mark), seeker(text, "\n")];
  let at = 0;
  const put = (cell: string): void => void lines.at(-1)?.push(cell);
  while (at <= text.length) {
    const quote = text[at] === '"' ? closingQuote(text, mark, at) : undefined;
    if (quote !== undefined) {
      put(text.slice(at + 1, quote).replaceAll('""', '"'));
      at = quote + 1;
    } else {
      const end = Math.min(nextMark(at), nextLine(at));
      put(text.slice(at, end));
      at = end;
    }
    if (text[at] === "\n") lines.push([]);
    else if (text[at] === undefined) break;
    at += 1;
  }
  return lines;
}

/** Short lines are filled up. Commas are looked at only in plain text: a spreadsheet's own cells are between tabs. */
export function readBlock(written: string, isPlain = true): Block {
  const text = written.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  if (text === "") return [];
  const marks = text.includes("\t") || !isPlain ? ["\t"] : [",", ";"];
  for (const mark of marks) {
    const lines = split(text, mark);
    const [first] = lines;
    const isEven = lines.every((line) => line.length === first?.length);
    // A sentence has commas too: only several lines with as many of them are a table.
    if (mark !== "\t" && !(isEven && lines.length > 1 && (first?.length ?? 0) > 1)) continue;
    const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
    return lines.map((line) => [...line, ...Array.from({ length: width - line.length }, () => "")]);
  }
  return split(text, "\t");
}

export const writeBlock = (block: Block): string =>
  block
    .map((line) => line.map((cell) => (/[\t\n\r"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t"))
    .join("\n");

/** Repeats a block where the room is a multiple of it, as one value fills a whole range. */
export function fillRoom<Cell>(block: Block<Cell>, rows: number, columns: number): Block<Cell> {
  const [height, width] = [block.length, block[0]?.length ?? 0];
  if (height === 0 || width === 0) return block;
  const down = rows % height === 0 ? rows : height;
  const across = columns % width === 0 ? columns : width;
  return Array.from(
    { length: Math.max(down, height) },
    (_, row) =>
      Array.from({ length: Math.max(across, width) }, (__, column) => block[row % height]?.[column % width] as Cell), // both are within it
  );
}
