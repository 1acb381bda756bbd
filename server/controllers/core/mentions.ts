// Takes the text of a comment; gives the user names that it mentions: `@ada`, `@ada.lovelace`. Pure.
import { trimEndOf } from "../../../contract/trim.ts";

/** A name begins after something that no name contains, so that an e-mail address mentions nobody. */
const MENTION = /(?<![\p{L}\p{N}._@+-])@([\p{L}\p{N}._@+-]{3,65})/gu;
const MOST = 50;

/** In lower case, with and without the marks that may end a sentence: only one of them can be a user. */
export function mentionedNames(body: string): string[] {
  const names = new Set<string>();
  for (const [, found = ""] of body.matchAll(MENTION)) {
    if (names.size >= MOST * 2) break;
    const name = found.toLowerCase();
    if (name.length <= 64) names.add(name);
    const bare = trimEndOf(name, "._@+-");
    if (bare.length >= 3 && bare.length <= 64) names.add(bare);
  }
  return [...names];
}
