// A text with Markdown as people read it. Made of elements, never of HTML: nothing that somebody wrote is run, and pictures are not fetched.
import { type ReactNode, useMemo } from "react";
import { type Block, type Inline, readMarkdown } from "../reading/markdown.ts";
import classes from "./markdown.module.css";

/** The parts of a text never change their places. */
const numbered = <Part,>(parts: readonly Part[]) => parts.map((part, at) => ({ part, key: String(at) }));

const inline = (parts: readonly Inline[]): ReactNode[] =>
  numbered(parts).map(({ part, key }) => {
    if ("text" in part)
      return part.kind === "code" ? <code key={key}>{part.text}</code> : <span key={key}>{part.text}</span>;
    if (!("href" in part)) {
      const inner = inline(part.of);
      return part.kind === "strong" ? <strong key={key}>{inner}</strong> : <em key={key}>{inner}</em>;
    }
    return (
      <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {inline(part.of)}
      </a>
    );
  });

function block({ part: one, key }: { readonly part: Block; readonly key: string }): ReactNode {
  if (one.kind === "rule") return <hr key={key} />;
  if (one.kind === "code") return <pre key={key}>{one.text}</pre>;
  if (one.kind === "quote") return <blockquote key={key}>{inline(one.of)}</blockquote>;
  // The page has headings of its own: these are of the text.
  if (one.kind === "heading") {
    return (
      <p key={key} className={classes.heading} data-level={Math.min(one.level, 3)}>
        {inline(one.of)}
      </p>
    );
  }
  if (!("items" in one)) return <p key={key}>{inline(one.of)}</p>;
  const items = numbered(one.items).map(({ part, key: place }) => <li key={place}>{inline(part)}</li>);
  if (!one.ordered) {
    return (
      <ul key={key} data-depth={one.depth}>
        {items}
      </ul>
    );
  }
  return (
    <ol key={key} start={one.start} data-depth={one.depth}>
      {items}
    </ol>
  );
}

export function MarkdownView({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className={classes.markdown} dir="auto">
      {numbered(blocks).map(block)}
    </div>
  );
}
