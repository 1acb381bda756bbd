// What a field of a new record starts with: what the form says, else what the record type says; the currency of its
// amounts else the organization's. Pure.
import type { Caller } from "../../access/caller.ts";
import type { Field } from "../../fields/field-type.ts";
import { referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export function startingValue(
  type: RecordType,
  field: Field,
  caller: Pick<Caller, "currencyId">,
  defaults?: ReadonlyMap<string, string>,
): string | undefined {
  const said = defaults?.get(field.name) ?? field.initial;
  return said ?? (isCurrencyOfAmounts(type, field) ? (caller.currencyId ?? undefined) : undefined);
}

const isCurrencyOfAmounts = (type: RecordType, { name }: Field): boolean =>
  referencedBy(type, { name }) === "masters/currencies" &&
  type.fields.some((field) => typeOf(field).currencyField?.(field) === name);
