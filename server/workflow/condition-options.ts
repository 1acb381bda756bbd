// Takes a condition in the language of workflows; gives what it compares a choice with that is none of its options.
import type { Condition } from "../../contract/conditions.ts";
import { type Message, say } from "../../contract/messages.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";

export function unknownOptions(type: RecordType, condition: Condition): readonly Message[] {
  const check = (name: string, values: readonly string[]): readonly Message[] => {
    const field = type.field.get(name);
    if (!field) return [];
    const { picks, ranked } = typeOf(field);
    const options = picks === "one" ? ranked?.(field) : undefined;
    // Compared with an empty text, it is asked whether it is empty.
    const unknown = values.filter((value) => value !== "" && options?.every((option) => !isSame(option, value)));
    return unknown.map((option) => say("no_such_option", { field: field.label, option }));
  };
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.parts.flatMap((part) => unknownOptions(type, part));
    case "not":
      return unknownOptions(type, condition.part);
    case "in":
      return check(condition.field, condition.values);
    case "compare": {
      const { left, right, comparison } = condition;
      // A threshold need not be an option itself.
      if (comparison !== "=" && comparison !== "!=") return [];
      if ("field" in left && "value" in right) return check(left.field, [right.value]);
      return "value" in left && "field" in right ? check(right.field, [left.value]) : [];
    }
    default:
      return [];
  }
}

/** As conditions compare: numbers by what they are worth. */
const isSame = (option: string, value: string): boolean =>
  option === value || (value.trim() !== "" && Number(option) === Number(value));
