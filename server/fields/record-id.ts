// The id of a record: a positive whole number of a business record, a UUID of a metadata record.
import { fault } from "../../contract/messages.ts";
import { exactInteger } from "./columns/exact-decimal.ts";
import { accept, type Parsed, parseScalar, refuse } from "./field-type.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export const idColumnType = { integer: "bigint", uuid: "uuid" } as const;
export type IdKind = keyof typeof idColumnType;

/** Checks the spelling only: whether there is such a record is for those who can look. */
export function parseRecordId(input: unknown, kind: IdKind = "integer"): Parsed {
  const expectation = kind === "uuid" ? fault("bad_uuid") : fault("bad_record_id");
  return parseScalar(input, expectation, (sent) => {
    const id = kind === "uuid" ? sent.toLowerCase() : exactInteger(sent);
    const valid = id !== undefined && (kind === "uuid" ? uuid.test(id) : id !== "0" && !id.startsWith("-"));
    return valid ? accept(id) : refuse(expectation);
  });
}

/** Undefined for what is no id, and for the words that mean nothing at all. */
export function recordIdOf(input: unknown, kind: IdKind): string | undefined {
  const parsed = parseRecordId(input, kind);
  return parsed.ok ? (parsed.row[0] ?? undefined) : undefined;
}
