// Takes a form's definition as JSON text and the record type it is for; gives it checked, or the sentences that say
// what is wrong with it: its shape, unknown fields, conditions that cannot be read, defaults that do not fit. Pure.

import { fieldsOf, parseCondition } from "../../contract/conditions.ts";
import { elementName } from "../../contract/form-definition.ts";
import { about } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import { childTypeOf, isOwned, isRelated } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { type FormDefinition, type FormElement, formSchema, sectionsOf, takesDefault } from "./form-definition.ts";
import { gridFields } from "./grid-fields.ts";

export type FormCheck =
  | { readonly ok: true; readonly form: FormDefinition }
  | { readonly ok: false; readonly errors: readonly string[] };

export function checkForm(text: string, type: RecordType, snapshot: Snapshot): FormCheck {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { ok: false, errors: ["must be JSON"] };
  }
  const parsed = formSchema.safeParse(sent);
  if (!parsed.success) {
    return { ok: false, errors: parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) };
  }
  const errors = faultsOf(parsed.data, type, snapshot);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, form: parsed.data };
}

function faultsOf(form: FormDefinition, type: RecordType, snapshot: Snapshot): string[] {
  const errors: string[] = [];
  const condition = (at: string, source: string | undefined): void => {
    if (source === undefined) return;
    const parsed = parseCondition(source);
    if (!parsed.ok) errors.push(`${at}: the condition cannot be read: ${parsed.error}`);
    else {
      for (const field of fieldsOf(parsed.condition)) {
        if (!type.field.has(field)) errors.push(`${at}: the condition names ${field}, which is not a field`);
      }
    }
  };
  for (const tab of form.tabs ?? []) condition(tab.tab, tab.if_condition);
  const seen = new Set<string>();
  for (const section of sectionsOf(form)) {
    condition(section.section, section.if_condition);
    for (const element of section.elements) {
      const at = elementName(element);
      if (seen.has(at)) errors.push(`${at}: appears twice`);
      seen.add(at);
      condition(at, element.if_condition);
      if ("field" in element) {
        condition(at, element.required_if);
        const field = type.field.get(element.field);
        if (!field) errors.push(`${at}: there is no field ${element.field}`);
        else if (element.default !== undefined && !takesDefault(field)) {
          errors.push(`${at}: a read-only field has no default`);
        } else if (element.default !== undefined) {
          const fits = typeOf(field).parse(element.default, field, { locale: "en-US", timeZone: "UTC" });
          if (!fits.ok)
            errors.push(...fits.errors.map((error) => `${at}: ${write(about("its default", error), "en")}`));
        }
      } else {
        errors.push(...associationFaults(element, type, snapshot));
      }
    }
  }
  return errors;
}

function associationFaults(element: Exclude<FormElement, { field: string }>, type: RecordType, snapshot: Snapshot) {
  if ("related" in element) {
    const found = type.association.get(element.related);
    return found && isRelated(found) ? [] : [`${element.related}: there is no list of related records of that name`];
  }
  const found = type.association.get(element.grid);
  if (!found || !isOwned(found)) return [`${element.grid}: there are no children of that name`];
  const known = gridFields(childTypeOf(snapshot, found), found);
  return (element.columns ?? [])
    .filter((column) => !known.includes(column))
    .map((column) => `${element.grid}: there is no field ${column}`);
}
