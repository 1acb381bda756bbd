// Takes the stack of an error in the built service; gives it with the places in its sources. The engine could do so by itself, but
// then reads its map for whoever reads a stack, as each socket that ends with an error does, and keeps it: 38 MiB of heap and 66 of
// memory, for good. Here the map is read when an error is logged, and let go soon after.
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** One error is often followed by others. */
const KEEP_MS = 60_000;

let known: { readonly program: string; readonly map: SourceMap | undefined } | undefined;

/** Undefined where the program is its own source, as in tests. */
function readMap(program: string): SourceMap | undefined {
  try {
    // Written by our own build.
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(program)}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

function mapOf(program: string): SourceMap | undefined {
  if (known?.program === program) return known.map;
  const map = readMap(program);
  known = { program, map };
  setTimeout(() => {
    known = undefined;
  }, KEEP_MS).unref();
  return map;
}

/** `program`: the address of the file that was built. */
export function originalStack(stack: string, program: string = import.meta.url): string {
  const lines = stack.split(program);
  if (lines.length === 1) return stack;
  const map = mapOf(program);
  if (!map) return stack;
  const folder = path.dirname(fileURLToPath(program));
  return lines
    .map((text, index) => {
      const place = index === 0 ? undefined : /^:(\d+):(\d+)/u.exec(text);
      const found = place && map.findEntry(Number(place[1]) - 1, Number(place[2]) - 1);
      if (!place || !found || !("originalSource" in found)) return index === 0 ? text : program + text;
      const source = path.resolve(folder, found.originalSource);
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}${text.slice(place[0].length)}`;
    })
    .join("");
}
