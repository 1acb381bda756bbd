// Takes a Range header and the size of what it is about; gives the bytes that it asks for. Several ranges at once, other
// units and what cannot be read are as if it had not been sent (RFC 9110, 14.2). Pure.

export interface ParsedRange {
  /** Both ends included. */
  readonly start: number;
  readonly end: number;
}

export function parseRange(header: string | undefined, size: number): ParsedRange | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const last = Math.min(Number(to), size);
    return last === 0 ? "unsatisfiable" : { start: size - last, end: size - 1 };
  }
  const start = Number(from);
  const end = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}
