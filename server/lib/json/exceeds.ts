// Takes JSON text that somebody sent within another text, and how much of it there may be; says what is too much of it, if anything.
// JSON.parse takes seconds for megabytes of brackets, and nothing else runs meanwhile: look here first. Takes time linear to the text.

export interface Most {
  /** Arrays and objects within one another. */
  readonly levels: number;
  /** Brackets, braces, commas and colons outside of texts: there are never more values than that, and one. */
  readonly marks: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN, CLOSE, BEGIN, END] = [91, 93, 123, 125];

/** Undefined also for what is no JSON: whoever reads it says so. */
export function exceeds(text: string, { levels, marks }: Most): keyof Most | undefined {
  let depth = 0;
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      continue;
    }
    if (code === OPEN || code === BEGIN) depth += 1;
    else if (code === CLOSE || code === END) depth -= 1;
    else if (code !== COMMA && code !== COLON) continue;
    found += 1;
    if (depth > levels) return "levels";
    if (found > marks) return "marks";
  }
  return undefined;
}

/** The place of the closing quote, or of the end. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
