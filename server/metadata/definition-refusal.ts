// Takes sentences of the form `<place>: <what is wrong>`; gives the Failure that refuses a definition, with each fault under
// its place. A place begins with the part of the definition; a field is named by its name or by its number.
import { Failure } from "../../contract/failures.ts";
import { trimEndOf } from "../../contract/trim.ts";

/** `key`: of the record type that is wrong, which may be another than the one that is designed. */
export function definitionRefused(wrong: readonly string[], key?: string): Failure {
  const byField: Record<string, string[]> = {};
  for (const sentence of wrong) {
    const [, place = "definition", words = sentence] = /^([\w./-]+): (.*)$/su.exec(sentence) ?? [];
    const path = `record_types.${trimEndOf(place, ".")}`;
    byField[path] = [...(byField[path] ?? []), words];
  }
  const of = key === undefined ? {} : { body: { record_type: key } };
  return new Failure("definition_refused", { with: { reason: wrong.join("; ") }, errors: wrong, byField, ...of });
}

/** A design that makes another type impossible has no place of its own where that could be mended. */
export function elsewhere(error: unknown, key: string): unknown {
  const other = error instanceof Failure && error.code === "definition_refused" ? error.detail.body?.record_type : key;
  if (typeof other !== "string" || other === key || !(error instanceof Failure)) return error;
  const errors = (error.detail.errors ?? []).map((sentence) => `${other}: ${sentence}`);
  return new Failure("definition_refused", { with: { reason: errors.join("; ") }, errors, cause: error });
}
