// Takes what zod found wrong with a definition; gives it as messages by place. Our own checks name a sentence of the
// catalog; what zod checks by itself has its sentence by the kind of issue.
import type { z } from "zod";
import { type Message, type MessageCode, type ParamsOf, say } from "../../contract/messages.ts";
import { english } from "../../contract/texts/en/index.ts";
import type { DesignFault } from "./design-fault.ts";

type Issue = z.core.$ZodIssue;

/** The `message` of a check in a schema: the code of a sentence without parameters. */
export const coded = <Code extends MessageCode>(
  code: Code & (keyof ParamsOf<Code> extends never ? unknown : never),
): string => code;

/** The same for a refinement, whose sentence may have parameters. */
export const codedWith = <Code extends MessageCode>(
  code: Code,
  params: ParamsOf<Code>,
): { readonly message: string; readonly params: Record<string, unknown> } => ({ message: code, params: { ...params } });

/** `input`: what was checked, which tells what is missing from what is wrong. */
export const issueFaults = (issues: readonly Issue[], input: unknown, place: string): readonly DesignFault[] =>
  issues.map((issue) => ({
    at: issue.path.length === 0 ? place : issue.path.join("."),
    wrong: issueMessage(issue, input),
  }));

export function issueMessage(issue: Issue, input: unknown): Message {
  if (Object.hasOwn(english, issue.message)) {
    const params = issue.code === "custom" ? issue.params : undefined;
    return { code: issue.message, params: params ?? {} } as Message; // just looked up; its parameters are tied by codedWith
  }
  switch (issue.code) {
    case "invalid_type":
      return valueAt(input, issue.path) === undefined ? say("is_missing") : ofType(issue.expected);
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum));
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum));
    case "invalid_format":
      return say("bad_format");
    case "invalid_value":
      return valueAt(input, issue.path) === undefined
        ? say("is_missing")
        : say("must_be_one_of", { options: issue.values.map(String) });
    case "unrecognized_keys":
      return say("unknown_keys", { keys: issue.keys });
    case "not_multiple_of":
      return say("not_a_multiple", { step: issue.divisor });
    case "invalid_key":
      return say("bad_key");
    case "invalid_union":
    case "invalid_element":
    case "custom":
      return say("not_valid");
  }
}

function ofType(expected: string): Message {
  switch (expected) {
    case "string":
      return say("must_be_text");
    case "number":
      return say("must_be_number");
    case "int":
      return say("must_be_whole_number");
    case "boolean":
      return say("must_be_true_or_false");
    case "array":
      return say("must_be_list");
    case "object":
    case "record":
      return say("must_be_object");
    default:
      return say("must_be_of_type", { type: expected });
  }
}

function tooSmall(of: string, min: number): Message {
  if (of === "string") return min === 1 ? say("must_not_be_empty") : say("at_least_characters", { min });
  return of === "array" ? say("at_least_entries", { min }) : say("must_be_at_least", { min });
}

function tooBig(of: string, max: number): Message {
  if (of === "string") return say("at_most_characters", { max });
  return of === "array" ? say("at_most_entries", { max }) : say("must_be_at_most", { max });
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
