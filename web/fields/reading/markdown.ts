// Takes a text with Markdown; gives its parts as plain data: headings, paragraphs, lists, quotes, code, links. Knows no HTML: what looks like
// it is text. Every text is read in time that grows with its length.

export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly of: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly of: readonly Inline[] };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly of: readonly Inline[] }
  | { readonly kind: "paragraph" | "quote"; readonly of: readonly Inline[] }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      /** Of the first item. */
      readonly start: number;
      /** How far it is indented, in steps. */
      readonly depth: number;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

/** Longer paragraphs are shown as they were written. */
const LONGEST = 20_000;
const DEEPEST = 4;

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";
const bullet = /^ {0,6}[-*+] (?=\S)/;
const numbered = /^ {0,6}\d{1,9}[.)] (?=\S)/;
const heading = /^(#{1,6}) (?=\S)/;
const fence = /^ {0,3}```[^`]*$/;
const quote = /^ {0,3}> ?/;
const rule = /^ {0,3}(?:-{3,80}|\*{3,80}|_{3,80}) {0,80}$/;
const startsBlock = (line: string): boolean =>
  [bullet, numbered, heading, fence, quote, rule].some((pattern) => pattern.test(line));

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Something to do, or done. */
const withBox = (item: string): string =>
  item.replace(/^\[([ xX])\] /, (_, mark: string) => (mark === " " ? "☐ " : "☑ "));

export function readMarkdown(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && fits(line); line = lines[at]) {
      taken.push(line);
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const level = heading.exec(line)?.[1]?.length;
    if (isBlank(line)) at += 1;
    else if (fence.test(line)) {
      at += 1;
      const code = take((one) => !fence.test(one));
      at += 1;
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (rule.test(line)) {
      at += 1;
      blocks.push({ kind: "rule" });
    } else if (level !== undefined) {
      at += 1;
      blocks.push({ kind: "heading", level, of: readInline(line.slice(level + 1).trim()) });
    } else if (quote.test(line)) {
      const quoted = take((one) => quote.test(one)).map((one) => one.replace(quote, ""));
      blocks.push({ kind: "quote", of: readInline(quoted.join("\n")) });
    } else if (bullet.test(line) || numbered.test(line)) {
      const mark = bullet.test(line) ? bullet : numbered;
      const indent = indentOf(line);
      const items = take((one) => mark.test(one) && indentOf(one) === indent).map((one) =>
        readInline(withBox(one.replace(mark, ""))),
      );
      const start = mark === numbered ? Number.parseInt(line, 10) : 1;
      blocks.push({
        kind: "list",
        ordered: mark === numbered,
        start,
        depth: Math.min(2, Math.floor(indent / 2)),
        items,
      });
    } else {
      at += 1;
      const own = [line, ...take((one) => !isBlank(one) && !startsBlock(one))];
      blocks.push({ kind: "paragraph", of: readInline(own.join("\n")) });
    }
  }
  return blocks;
}

/** Pages of this service, and what a browser opens without running anything. */
export function safeHref(href: string): string | undefined {
  const trimmed = href.trim();
  // Browsers leave out tabs and line ends: what is left may lead elsewhere.
  if (/\s/.test(trimmed)) return undefined;
  return /^(?:\/(?![/\\])|https?:\/\/|mailto:|tel:)/i.test(trimmed) ? trimmed : undefined;
}

const marks = [
  { mark: "**", kind: "strong" },
  { mark: "__", kind: "strong" },
  { mark: "*", kind: "emphasis" },
  { mark: "_", kind: "emphasis" },
] as const;

/** An address by itself; what ends the sentence around it is not part of it. */
function addressAt(text: string, at: number): string | undefined {
  if (!text.startsWith("http", at) || /\w/.test(text[at - 1] ?? "")) return undefined;
  const address = /^https?:\/\/[^\s<>()"'`*]{1,2000}/.exec(text.slice(at, at + 2_008))?.[0];
  let end = address?.length ?? 0;
  while (address !== undefined && ".,;:!?".includes(address[end - 1] ?? " ")) end -= 1;
  return address?.slice(0, end);
}

export function readInline(text: string, depth = 0, isInLink = false): readonly Inline[] {
  if (text.length > LONGEST || depth > DEEPEST) return [{ kind: "text", text }];
  const found: Inline[] = [];
  /** Marks that are not closed behind here: nobody looks for them again. */
  const open = new Set<string>();
  let plain = "";
  let at = 0;
  const push = (one: Inline, end: number): void => {
    if (plain !== "") found.push({ kind: "text", text: plain });
    plain = "";
    found.push(one);
    at = end;
  };
  const closing = (mark: string, from: number): number => {
    if (open.has(mark)) return -1;
    const end = text.indexOf(mark, from);
    if (end === -1) open.add(mark);
    return end;
  };
  while (at < text.length) {
    const letter = text[at];
    if (letter === "\\" && /[\\`*_[\]()#+\-.!>]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    if (letter === "`") {
      const end = closing("`", at + 1);
      if (end > at + 1) {
        push({ kind: "code", text: text.slice(at + 1, end) }, end + 1);
        continue;
      }
    }
    const address = isInLink ? undefined : addressAt(text, at);
    if (address !== undefined) {
      push({ kind: "link", href: address, of: [{ kind: "text", text: address }] }, at + address.length);
      continue;
    }
    if (letter === "[" && !isInLink) {
      const middle = closing("](", at + 1);
      const end = middle === -1 ? -1 : closing(")", middle + 2);
      const href = end === -1 || end - at > 2_000 ? undefined : safeHref(text.slice(middle + 2, end));
      if (href !== undefined) {
        push({ kind: "link", href, of: readInline(text.slice(at + 1, middle), depth + 1, true) }, end + 1);
        continue;
      }
    }
    const marked = marks.find(({ mark }) => text.startsWith(mark, at) && !/\s|^$/.test(text[at + mark.length] ?? ""));
    // Within a word, as in some_field_name, an underscore is one.
    if (marked && !(letter === "_" && /\w/.test(text[at - 1] ?? ""))) {
      const end = closing(marked.mark, at + marked.mark.length + 1);
      if (end !== -1) {
        const inner = readInline(text.slice(at + marked.mark.length, end), depth + 1, isInLink);
        push({ kind: marked.kind, of: inner }, end + marked.mark.length);
        continue;
      }
    }
    plain += letter;
    at += 1;
  }
  if (plain !== "") found.push({ kind: "text", text: plain });
  return found;
}
