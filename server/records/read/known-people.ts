// Returns the people behind the actors of records, with their names, from memory while users, groups and roles are unchanged.
import { type NamedLookup, readFacts } from "../../access/principal-lookup.ts";
import type { Database } from "../../database/database.ts";
import { Recent } from "../../lib/memory/recent.ts";

export interface NamedPeople {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export interface KnownPeople {
  /** `version` is that of `factTables`, as the statement that read the record saw them. */
  of(organizationId: string, version: string, named: NamedPeople): Promise<NamedLookup>;
}

/** Of all organizations. */
const MOST = 5_000;

export function createKnownPeople(db: Database): KnownPeople {
  const kept = new Recent<string, { readonly version: string; readonly lookup: NamedLookup }>(MOST);
  return {
    of: async (organizationId, version, named) => {
      const key = [organizationId, ...named.users, "", ...named.groups].join(" ");
      const known = kept.get(key);
      if (known?.version === version) return known.lookup;
      const lookup = await readFacts(db, organizationId, named);
      kept.set(key, { version, lookup });
      return lookup;
    },
  };
}
