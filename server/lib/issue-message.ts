// Takes what zod found wrong with a definition; gives it as a message. Our own checks name a sentence of the catalogue.
import type { z } from "zod";
import { type Message, type MessageCode, say } from "../../contract/messages.ts";
import { english } from "../../contract/texts/en/index.ts";

/** The `message` of a check in a schema: the code of a sentence without parameters. */
export const coded = (code: MessageCode): string => code;

export function issueMessage(issue: z.core.$ZodIssue): Message {
  if (Object.hasOwn(english, issue.message)) return { code: issue.message as MessageCode, params: {} }; // just looked up
  switch (issue.code) {
    case "invalid_type":
      return say("must_be_of_type", { type: issue.expected });
    case "too_small":
      return say("must_be_at_least", { min: String(issue.minimum) });
    case "too_big":
      return say("must_be_at_most", { max: String(issue.maximum) });
    case "invalid_value":
      return say("must_be_one_of", { options: issue.values.map(String) });
    case "unrecognized_keys":
      return say("unknown_keys", { keys: issue.keys });
    default:
      return say("own_words", { text: issue.message });
  }
}
