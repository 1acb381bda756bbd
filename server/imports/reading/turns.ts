// Reading files takes turns: a packed one of a few megabytes keeps a processor busy for long. So many at a time, and of one
// organization never all.
import { busy, currentScope } from "../../database/scope.ts";
import { createFairGate } from "../../lib/turns/fair-gate.ts";

const gate = createFairGate({ slots: 4, perName: 2, mostWaiting: 50, refuse: busy });

/** Never within another turn: it would wait for itself. */
export function inTurn<T>(organizationId: string, read: () => Promise<T>): Promise<T> {
  const scope = currentScope();
  return gate.run(organizationId, read, { signal: scope?.signal, deadline: scope?.deadline });
}
