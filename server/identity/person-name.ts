// A person's full name, worked out from first and last name wherever a record type has the three.
import type { RecordHooks } from "../records/hooks.ts";

export const fullName = {
  computes: ["name"],
  computesFrom: ["first_name", "last_name"],
  compute: ({ first_name, last_name }) => ({ name: [first_name, last_name].filter(Boolean).join(" ") || null }),
} satisfies RecordHooks;
