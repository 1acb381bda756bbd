// Takes what the rows of a chunk say in their key; locks at once what its slices would lock one after the other, in the order of
// the file. So imports of the same rows, and bulk changes beside them, wait for each other and never in a circle.
import { Failure } from "../../contract/failures.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Work } from "../records/hooks.ts";
import { uniqueSets } from "../records/save/check-unique.ts";
import { lockAllKeys, lockByKey, lockKeys } from "../records/upsert/find-by-key.ts";
import { keyFields, keyOf } from "../records/upsert/key.ts";
import type { Tree } from "../request/tree.ts";
import type { ImportSpec } from "./spec.ts";

export async function lockChunk(
  { transaction, caller }: Work,
  type: RecordType,
  { mode, key }: ImportSpec,
  /** Undefined where a key has to be looked up first: then each slice locks its own. */
  rows: readonly Tree[] | undefined,
): Promise<void> {
  if (mode === "add") {
    // Who adds a unique value waits for those who add the same.
    if (uniqueSets(type).length > 0) await lockAllKeys(transaction, caller.organizationId, type);
    return;
  }
  const fields = keyFields(type, caller, key);
  const keys = (rows ?? []).flatMap((sent) => {
    const one = keyOf(type, caller, fields, sent);
    return one === null || one instanceof Failure ? [] : [one];
  });
  if (keys.length === 0) return;
  await lockKeys(transaction, caller, type, fields, keys);
  if (mode !== "skip") await lockByKey(transaction, caller, type, fields, keys);
}
