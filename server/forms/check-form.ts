// Takes a form's definition as JSON text and the record type it is for; gives it checked, or what is wrong
// with it and where: its shape, unknown fields, conditions that cannot be read, defaults that do not fit. Pure.

import { fieldsOf, parseCondition } from "../../contract/conditions.ts";
import { Failure } from "../../contract/failures.ts";
import { elementName } from "../../contract/form-definition.ts";
import { about, type Message, say } from "../../contract/messages.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { issueFaults } from "../lib/issue-message.ts";
import { childTypeOf, isOwned, isRelated } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { storedConditions, unknownOptions } from "../metadata/rules/condition-options.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { parseSentJson } from "../request/json/sent-json.ts";
import { type FormDefinition, type FormElement, formSchema, sectionsOf, takesDefault } from "./form-definition.ts";
import { gridFields } from "./grid-fields.ts";

export type FormCheck =
  | { readonly ok: true; readonly form: FormDefinition }
  | { readonly ok: false; readonly faults: readonly DesignFault[] };

/** `stored`: the form as it is now, by default the same; options that its conditions name may be gone. */
export function checkForm(text: string, type: RecordType, snapshot: Snapshot, stored: string | null = text): FormCheck {
  let sent: unknown;
  try {
    sent = parseSentJson(text);
  } catch (error) {
    if (error instanceof Failure) return { ok: false, faults: [{ at: "", wrong: error.said }] };
    throw error;
  }
  if (sent === undefined) return { ok: false, faults: [{ at: "", wrong: say("must_be_json") }] };
  const parsed = formSchema.safeParse(sent);
  if (!parsed.success) return { ok: false, faults: issueFaults(parsed.error.issues, sent, "") };
  const faults = faultsOf(parsed.data, type, snapshot, storedConditions(stored, "if_condition", "required_if"));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, form: parsed.data };
}

function faultsOf(
  form: FormDefinition,
  type: RecordType,
  snapshot: Snapshot,
  stored: ReadonlySet<string>,
): DesignFault[] {
  const faults: DesignFault[] = [];
  const refuse = (at: string, wrong: Message) => faults.push({ at, wrong });
  const condition = (at: string, source: string | undefined): void => {
    if (source === undefined) return;
    const parsed = parseCondition(source);
    if (!parsed.ok) refuse(at, say("bad_condition", { reason: parsed.error }));
    else {
      for (const field of fieldsOf(parsed.condition)) {
        if (!type.field.has(field)) refuse(at, say("condition_names", { name: field }));
      }
      if (stored.has(source)) return;
      for (const wrong of unknownOptions((name) => type.field.get(name), parsed.condition)) refuse(at, wrong);
    }
  };
  for (const tab of form.tabs ?? []) condition(tab.tab, tab.if_condition);
  const seen = new Set<string>();
  const [, ...more] = sectionsOf(form).filter(({ others }) => others);
  for (const { section } of more) refuse(section, say("others_twice"));
  for (const section of sectionsOf(form)) {
    condition(section.section, section.if_condition);
    for (const element of section.elements) {
      const at = elementName(element);
      if (seen.has(at)) refuse(at, say("appears_twice"));
      seen.add(at);
      condition(at, element.if_condition);
      if ("field" in element) {
        condition(at, element.required_if);
        const field = type.field.get(element.field);
        if (!field) refuse(at, say("missing_field", { name: element.field }));
        else if (element.default !== undefined && !takesDefault(field)) {
          refuse(at, say("no_default"));
        } else if (element.default !== undefined) {
          const fits = typeOf(field).parse(element.default, field, { locale: "en-US", timeZone: "UTC" });
          if (!fits.ok) for (const error of fits.errors) refuse(at, about(say("the_default"), error));
        }
      } else {
        faults.push(...associationFaults(element, type, snapshot));
      }
    }
  }
  return faults;
}

function associationFaults(
  element: Exclude<FormElement, { field: string }>,
  type: RecordType,
  snapshot: Snapshot,
): DesignFault[] {
  if ("related" in element) {
    const found = type.association.get(element.related);
    return found && isRelated(found) ? [] : [{ at: element.related, wrong: say("no_related_list") }];
  }
  const found = type.association.get(element.grid);
  if (!found || !isOwned(found)) return [{ at: element.grid, wrong: say("no_children") }];
  const known = gridFields(childTypeOf(snapshot, found), found);
  return (element.columns ?? [])
    .filter((column) => !known.includes(column))
    .map((name) => ({ at: element.grid, wrong: say("missing_field", { name }) }));
}
