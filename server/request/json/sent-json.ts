// Takes JSON text that was sent as one value (a definition, a list of members); gives what it says, undefined where it is no JSON.
// Refuses what is nested more deeply, or holds more values, than any such document before it is read.
import { Failure } from "../../../contract/failures.ts";
import { exceeds } from "../../lib/json/exceeds.ts";
import { limits } from "../limits.ts";

/** A design is the deepest of them. */
const LEVELS = 40;
/** Each value has a comma or a bracket beside it, and a key and a colon where it is a member. */
const MARKS = 3 * limits.rowKeys;

export function parseSentJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  const beyond = exceeds(text, { levels: LEVELS, marks: MARKS });
  if (beyond === "levels") throw new Failure("too_deep", { with: { limit: LEVELS } });
  if (beyond === "marks") throw new Failure("too_many_keys", { with: { limit: limits.rowKeys } });
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
