// What the comparisons of the access property test are given, and where they put what differs.
import type { AclDirectory } from "../../server/access/acl-directory.ts";
import type { Database } from "../../server/database/database.ts";
import type { Snapshot } from "../../server/metadata/snapshot.ts";
import type { ListSources } from "../../server/records/list/run-list.ts";
import { attachedTypes, recordTypes, worldType } from "./lab-types.ts";
import type { Types } from "./naive-access.ts";
import type { World } from "./world.ts";

export const everyType = [...recordTypes, ...Object.keys(attachedTypes)];

const known = new WeakMap<Snapshot, Types>();

export function typesOf(snapshot: Snapshot): Types {
  const types = known.get(snapshot) ?? new Map(everyType.map((key) => [key, worldType(snapshot, key)] as const));
  known.set(snapshot, types);
  return types;
}

export interface Comparison {
  /** How often the world was looked at. */
  rounds: number;
  /** How many (caller, record, operation) were asked. */
  cases: number;
  /** How many of them were allowed: a test in which nothing is allowed shows nothing. */
  allowed: number;
  readonly differences: string[];
}

export interface Question {
  readonly db: Database;
  readonly lists: ListSources;
  readonly snapshot: Snapshot;
  readonly directory: AclDirectory;
  readonly world: World;
  readonly now: string;
}
