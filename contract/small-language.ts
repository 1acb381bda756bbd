// What the small languages of forms and workflows have in common: a text becomes tokens, tokens are read one by one, and
// what cannot be understood is refused with a message that says where. Runs nothing.
import { type Message, say } from "./messages.ts";

/** How deep parentheses may go. */
export const MAX_DEPTH = 32;
const MAX_LENGTH = 2_000;

export class Refusal extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(said.code);
    this.said = said;
  }
}

export interface Token<Kind extends string> {
  readonly kind: Kind | "end";
  readonly text: string;
  readonly at: number;
}

/** Sticky patterns; the first that fits wins. */
export type Patterns<Kind extends string> = readonly (readonly [Kind, RegExp])[];

export interface TokenReader<Kind extends string> {
  readonly peek: () => Token<Kind>;
  readonly take: () => Token<Kind>;
  /** `expected`: a mark or a word of the language, or what it is called. */
  readonly refuse: (expected: string | Message) => never;
}

export type Understood<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Message };

/** Reads a whole text; `parse` throws a Refusal for what it does not understand. */
export function understand<Kind extends string, Value>(
  source: string,
  patterns: Patterns<Kind>,
  parse: (reader: TokenReader<Kind>) => Value,
): Understood<Value> {
  try {
    if (source.length > MAX_LENGTH) throw new Refusal(say("formula_too_long", { max: MAX_LENGTH }));
    return { ok: true, value: parse(readTokens(tokenize(source, patterns))) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.said };
    throw error;
  }
}

function tokenize<Kind extends string>(source: string, patterns: Patterns<Kind>): Token<Kind>[] {
  const tokens: Token<Kind>[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(source[at] ?? "")) at += 1;
    if (at >= source.length) break;
    const found = patterns
      .map(([kind, pattern]) => {
        pattern.lastIndex = at;
        return { kind, text: pattern.exec(source)?.[0] };
      })
      .find(({ text }) => text !== undefined);
    if (found?.text === undefined) throw new Refusal(say("unexpected_character", { position: at + 1 }));
    tokens.push({ kind: found.kind, text: found.text, at });
    at += found.text.length;
  }
  tokens.push({ kind: "end", text: "", at });
  return tokens;
}

function readTokens<Kind extends string>(tokens: readonly Token<Kind>[]): TokenReader<Kind> {
  let position = 0;
  const end: Token<Kind> = { kind: "end", text: "", at: 0 };
  const peek = (): Token<Kind> => tokens[position] ?? tokens.at(-1) ?? end;
  return {
    peek,
    take: () => {
      const token = peek();
      position += 1;
      return token;
    },
    refuse: (expected) => {
      const { kind, at } = peek();
      throw new Refusal(
        kind === "end" ? say("expected_at_end", { expected }) : say("expected_at", { expected, position: at + 1 }),
      );
    },
  };
}
