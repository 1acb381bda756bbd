// Writes a list as RSS 2.0. Everything that people wrote is escaped; what XML can't hold is left out.

export interface RssItem {
  readonly guid: string;
  readonly title: string;
  /** Lines of plain text. */
  readonly lines: readonly string[];
  /** As an instant of the wire. */
  readonly modified: string;
  readonly url: string | undefined;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, "")
    .replace(/[&<>"]/g, (character) => entities[character] ?? "");

const dated = (instant: string): string => new Date(`${instant.replace(" ", "T")}Z`).toUTCString();

/** Readers take a description for HTML: what people wrote is escaped within it, too. */
const described = (lines: readonly string[]): string => escaped(lines.map(escaped).join("<br>"));

export const writeRss = (
  title: string,
  link: string,
  items: readonly RssItem[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
<channel>
<title>${escaped(title)}</title>
<link>${escaped(link)}</link>
<description>${escaped(title)}</description>
<ttl>60</ttl>
${items
  .map(
    (item) => `<item>
<title>${escaped(item.title)}</title>
${item.url === undefined ? "" : `<link>${escaped(item.url)}</link>\n`}<guid isPermaLink="false">${escaped(item.guid)}</guid>
<pubDate>${dated(item.modified)}</pubDate>
<description>${described(item.lines)}</description>
</item>
`,
  )
  .join("")}</channel>
</rss>
`;
