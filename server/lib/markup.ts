// Takes a text that may hold markup; gives its tags, or the text without them. One walk over the text, however hostile.

export interface Tag {
  /** Between `<` and `>`, or to the end where it is never closed. */
  readonly content: string;
  readonly isClosed: boolean;
  readonly start: number;
  readonly end: number;
}

export function* tagsOf(text: string): Generator<Tag> {
  for (let start = text.indexOf("<"); start !== -1; ) {
    const close = text.indexOf(">", start);
    const isClosed = close !== -1;
    const end = isClosed ? close + 1 : text.length;
    yield { content: text.slice(start + 1, isClosed ? close : end), isClosed, start, end };
    start = text.indexOf("<", end);
  }
}

/** A `<` that nothing closes begins no tag: it stays. */
export function withoutTags(text: string, instead = ""): string {
  const parts: string[] = [];
  let at = 0;
  for (const { isClosed, start, end } of tagsOf(text)) {
    if (!isClosed) break;
    parts.push(text.slice(at, start));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join(instead);
}
