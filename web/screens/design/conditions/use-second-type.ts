// What was built for one record type goes on for several once another is added here. What was for several from the start stays: there,
// the name of one of them can be that of an association of another.
import { useEffect, useRef } from "react";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { aliasOf } from "../../../fields/paths/field-path.ts";

/** `rename` is told the alias of the only one that there was, once. `schemas`: those of `keys`, as far as they are there. */
export function useSecondType(
  keys: readonly string[],
  schemas: readonly (RecordTypeSchema | undefined)[],
  rename: ((alias: string) => void) | undefined,
): void {
  const only = useRef<string>(undefined);
  useEffect(() => {
    if (!rename || keys.length < 2) {
      only.current = keys[0] ?? "";
      return;
    }
    const index = only.current === undefined ? -1 : keys.indexOf(only.current);
    const schema = schemas[index];
    if (index >= 0 && schema === undefined) return;
    only.current = undefined;
    if (schema) rename(aliasOf(schema));
  });
}
