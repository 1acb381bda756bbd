// Which fields of a form a quick new record asks for: what is required, what is known already, and the first few of the rest. Pure.
import type { FormElement, FormTree } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import { elementsOf, fieldName } from "../form/form-rules.ts";

const MOST = 8;
/** What takes more room than a line, or has a page of its own to be filled in on. */
const large: ReadonlySet<string> = new Set(["textarea", "json", "editor"]);

const isPlain = ({ template, method }: FormElement): boolean =>
  template !== "grid" && template !== "related" && !large.has(template) && !large.has(method ?? "");

export function quickFields(form: FormTree, known: Iterable<string>): ReadonlySet<string> {
  const editable = elementsOf(form).filter((element) => element.permission === permission.EDIT);
  const needed = new Set([
    ...editable.filter(({ not_empty: required }) => required === "1").map(fieldName),
    ...[...known].filter((name) => editable.some((element) => fieldName(element) === name)),
  ]);
  const others = editable.filter((element) => isPlain(element) && !needed.has(fieldName(element)));
  return new Set([...needed, ...others.slice(0, Math.max(0, MOST - needed.size)).map(fieldName)]);
}
