// What a copy of a record starts with: the values that people entered. Where it is on its way, what is attached to it and what the
// service fills in stay with the record. Pure.
import type { RecordView, WireRecord } from "../../../client/records/records.ts";
import { permission } from "../../../contract/permissions.ts";
import { elementsOf, fieldName } from "./form/form-rules.ts";
import type { Change, Changes } from "./form/use-draft.ts";

/** `form`: the one by which the record is edited. */
export function copiedValues(form: RecordView["form"], workflow: RecordView["workflow"], record: WireRecord): Changes {
  const stays = new Set(["owned_by", ...(workflow?.fixed ?? [])]);
  const names = new Set(workflow?.stages.map(({ name }) => name));
  return Object.fromEntries(
    elementsOf(form).flatMap((element): readonly (readonly [string, Change])[] => {
      const name = fieldName(element);
      const value = record[name];
      const text = record[`__${name}`];
      // A choice that mirrors the stage begins where a new record does.
      const mirrors = element.options?.some(({ value: one, text: called }) => one === value && names.has(called));
      if (element.permission !== permission.EDIT || stays.has(name) || mirrors || element.template === "grid")
        return [];
      if (typeof value !== "string" || value === "") return isAddress(value) ? [[name, { value }]] : [];
      return [[name, { value, ...(typeof text === "string" ? { text } : {}) }]];
    }),
  );
}

/** A file belongs to its record; other values that have parts can be taken along. */
const isAddress = (value: unknown): value is Readonly<Record<string, string | null>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("id" in value);
