// The sections of the benchmark, in the order in which they run.
import type { Context } from "../compare.ts";
import type { Options } from "../options.ts";
import { measureImportRace } from "../peers/import-race.ts";
import { measurePeers } from "../peers/peers.ts";
import type { Fact, ResultRow } from "../report/result.ts";
import { measureWeb } from "../web/measure-web.ts";
import { measureApp } from "./app.ts";
import { measureBulk } from "./bulk.ts";
import { measureComputed } from "./computed.ts";
import { measureDesign } from "./design.ts";
import { measureEvents } from "./events.ts";
import { measureGroups } from "./groups.ts";
import { measureImports } from "./import.ts";
import { measureLists } from "./list.ts";
import { measureMemory } from "./memory.ts";
import { measurePeople } from "./people.ts";
import { measureRecords } from "./records.ts";
import { measureSearches } from "./search.ts";
import { measureStart } from "./start.ts";
import { measureWrites } from "./write.ts";

/** Of the measured organization, or of a service that it starts itself. */
export type Section =
  | { readonly rows: (context: Context) => Promise<readonly ResultRow[]> }
  | { readonly told: (context: Context) => Promise<{ rows: readonly ResultRow[]; notes: readonly string[] }> }
  | { readonly facts: (context: Context) => Promise<readonly Fact[]> }
  | { readonly alone: (options: Options) => Promise<readonly Fact[]> };

export const sections: Readonly<Record<string, Section>> = {
  list: { told: measureLists },
  search: { rows: measureSearches },
  groups: { rows: measureGroups },
  records: { rows: measureRecords },
  write: { rows: measureWrites },
  bulk: { facts: measureBulk },
  computed: { facts: measureComputed },
  import: { facts: measureImports },
  events: { facts: measureEvents },
  memory: { facts: measureMemory },
  people: { facts: measurePeople },
  app: { facts: measureApp },
  start: { alone: measureStart },
};

/** Measured only when they are named. */
export const onRequest: Readonly<Record<string, Section>> = {
  design: { facts: measureDesign },
  "import-peers": { facts: measureImportRace },
  peers: { told: measurePeers },
  web: { alone: measureWeb },
};

export const sectionNamed = (name: string): Section | undefined =>
  Object.hasOwn(sections, name) ? sections[name] : Object.hasOwn(onRequest, name) ? onRequest[name] : undefined;
