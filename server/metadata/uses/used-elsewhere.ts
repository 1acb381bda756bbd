// Takes all types as they are and definitions that would not compile; tells which other types use a field that would go or get another
// name, and where to change that. Pure.
import { humanize } from "../../../contract/labels.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import { keyOf } from "../compile.ts";
import type { FieldDefinition, RecordTypeDefinition } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import { type DesignUse, usesInTypes } from "./uses-in-types.ts";

const MOST_TOLD = 50;

const users: Partial<
  Record<DesignUse["kind"], "use_roll_up" | "use_lookup" | "use_choices" | "use_default" | "use_related">
> = {
  roll_up: "use_roll_up",
  lookup: "use_lookup",
  choices: "use_choices",
  default: "use_default",
  related: "use_related",
};

export function usedElsewhere(present: Snapshot, wanted: readonly RecordTypeDefinition[]): readonly DesignFault[] {
  const keys = wanted.map(keyOf);
  const faults = wanted.flatMap((definition): DesignFault[] => {
    const key = keyOf(definition);
    const gone = present.types
      .get(key)
      ?.fields.filter(({ name }) => !definition.fields.some((one) => one.name === name));
    return (gone ?? []).flatMap(({ name, label, system }) => {
      if (system) return [];
      const renamed = definition.fields.find(({ aliases }) => aliases?.includes(name));
      return usesInTypes(present, key, name)
        .filter(({ type, kind }) => !keys.includes(type) && !(renamed && kind === "lookup"))
        .flatMap(({ kind, type, label: used }) => {
          const code = users[kind];
          const types = present.types.get(type)?.plural ?? type;
          return code === undefined ? [] : [faultOf(name, label, renamed, say(code, { name: used, types }))];
        });
    });
  });
  return faults.slice(0, MOST_TOLD);
}

const faultOf = (name: string, label: string, renamed: FieldDefinition | undefined, user: Message): DesignFault =>
  renamed
    ? {
        at: `fields.${renamed.name}.name`,
        wrong: say("name_in_use", { name, field: renamed.label ?? humanize(renamed.name), user }),
      }
    : { at: `fields.${name}`, wrong: say("field_in_use", { field: label, user }) };
