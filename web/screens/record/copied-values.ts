// What a copy of a record starts with: of the values that people entered, those that a new record may be given. Where it is on
// its way, what is attached to it and what the service fills in stay with the record. Pure.
import type { RecordView, WireRecord } from "../../../client/records/records.ts";
import { permission } from "../../../contract/permissions.ts";
import { elementsOf, fieldName } from "./form/form-rules.ts";
import type { Change, Changes } from "./form/use-draft.ts";

/** A record on its way to the form of a new one. */
export interface CopiedRecord {
  readonly id: string;
  /** Its values, and what its references are called. */
  readonly values: WireRecord;
  /** What the stages of its workflow are called. */
  readonly stages: readonly string[];
}

export const copyOf = (id: string, record: WireRecord, workflow: RecordView["workflow"]): CopiedRecord => ({
  id,
  values: Object.fromEntries(
    Object.entries(record).filter(([, value]) => (typeof value === "string" && value !== "") || isAddress(value)),
  ),
  stages: workflow?.stages.map(({ name }) => name) ?? [],
});

/** `form`: the one by which a record is added. */
export function copiedValues(form: RecordView["form"], { values, stages }: Omit<CopiedRecord, "id">): Changes {
  return Object.fromEntries(
    elementsOf(form).flatMap((element): readonly (readonly [string, Change])[] => {
      const name = fieldName(element);
      const value = values[name];
      const text = values[`__${name}`];
      // A choice that mirrors the stage begins where a new record does.
      const mirrors = element.options?.some(({ value: one, text: called }) => one === value && stages.includes(called));
      const stays = element.permission !== permission.EDIT || name === "owned_by" || element.template === "grid";
      if (stays || mirrors) return [];
      if (isAddress(value)) return [[name, { value }]];
      return typeof value === "string" ? [[name, { value, ...(typeof text === "string" ? { text } : {}) }]] : [];
    }),
  );
}

/** A file belongs to its record; other values that have parts can be taken along. */
const isAddress = (value: unknown): value is Readonly<Record<string, string | null>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("id" in value);
