// Takes an Accept header; tells whether its sender would rather have a page than data. Never throws.

/** A page only when text/html is wanted more than application/json; a tie, or no header at all, is data. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\//i.test(accept)) return false;
  const ranges = accept.split(",").map(parseRange);
  return quality(ranges, "text", "html") > quality(ranges, "application", "json");
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const [type = "", subtype = ""] = range.split("/");
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (weight === undefined) return { type, subtype, quality: 1 };
  return { type, subtype, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
}

/** The most specific range that covers the type decides (RFC 9110, 12.5.1). */
function quality(ranges: readonly Range[], type: string, subtype: string): number {
  const specific = ranges.find((range) => range.type === type && range.subtype === subtype);
  const family = ranges.find((range) => range.type === type && range.subtype === "*");
  const any = ranges.find((range) => range.type === "*" && range.subtype === "*");
  return (specific ?? family ?? any)?.quality ?? 0;
}
