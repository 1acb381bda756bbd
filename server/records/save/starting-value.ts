// The value that a field of a new record starts with: the form's default, else the record type's. The currency of its amounts
// defaults to the organization's.
import { type Expression, evaluateExpression } from "../../../contract/expressions.ts";
import type { Caller } from "../../access/caller.ts";
import type { Field } from "../../fields/field-type.ts";
import { localDay } from "../../lib/instant.ts";
import { referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export function startingValue(
  type: RecordType,
  field: Field,
  caller: Pick<Caller, "currencyId" | "userId" | "groupId" | "timeZone">,
  defaults?: ReadonlyMap<string, string>,
): unknown {
  const said = defaults?.get(field.name) ?? (field.starts ? workedOut(field.starts, caller) : field.initial);
  return said ?? (isCurrencyOfAmounts(type, field) ? (caller.currencyId ?? undefined) : undefined);
}

function workedOut(
  starts: Expression,
  caller: Pick<Caller, "currencyId" | "userId" | "groupId" | "timeZone">,
): unknown {
  const now = new Date();
  return evaluateExpression(starts, {
    read: () => null,
    made: () => null,
    now: now.toISOString().slice(0, 19).replace("T", " "),
    today: localDay(now, caller.timeZone),
    me: caller.userId,
    group: caller.groupId ?? null,
    currency: caller.currencyId ?? null,
  });
}

const isCurrencyOfAmounts = (type: RecordType, { name }: Field): boolean =>
  referencedBy(type, { name }) === "masters/currencies" &&
  type.fields.some((field) => typeOf(field).currencyField?.(field) === name);
