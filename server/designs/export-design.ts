// Takes an organization; gives its design to be taken along: all that people designed, or what belongs to some modules, and with `records`
// also the records of their types. What ships with the service and nobody changed is left out.
import type { Queryable } from "../database/database.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { Content, Design, DesignItem, Json } from "./design.ts";
import { readStored, type StoredItem } from "./read-stored.ts";
import { readRecords } from "./records/read-records.ts";
import { readLabels } from "./translations/read-labels.ts";

export interface ExportOptions {
  readonly name: string;
  readonly description?: string | undefined;
  /** Only what is about record types of these modules. */
  readonly modules?: readonly string[] | undefined;
  readonly records?: boolean | undefined;
}

export async function exportDesign(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  { name, description = "", modules, records = false }: ExportOptions,
): Promise<Design> {
  const { items, people } = await readStored(db, snapshot, organizationId);
  const chosen = items
    .filter((item) => !item.isDeleted && !item.isShipped && (modules === undefined || isAbout(item, modules)))
    .map(({ kind, key, content }): DesignItem => ({ kind, key, content }));
  if (modules !== undefined) {
    const types = new Map([...snapshot.types].filter(([, { module }]) => modules.includes(module)));
    const shown = items.filter((item) => !item.isDeleted && isAbout(item, modules));
    const labels = readLabels({ types }, shown).map(({ label }) => label);
    chosen.push(...translationsOf(items, chosen, labels));
  }
  const types = chosen.filter(({ kind }) => kind === "record_types").map(({ key }) => key);
  const along = records ? await readRecords(db, snapshot, organizationId, types, people) : [];
  return { name, description, items: [...chosen, ...along] };
}

/** A role is about a module if it says something of one of its types by name. */
function isAbout({ kind, key, content }: StoredItem, modules: readonly string[]): boolean {
  const inModules = (type: Json | undefined): boolean =>
    typeof type === "string" && modules.includes(type.split("/")[0] ?? "");
  if (kind === "navigation") return modules.includes(key);
  if (kind === "translations") return false;
  if (kind === "roles") return Object.keys(content.operations ?? {}).some(inModules);
  if (kind === "forms" || kind === "workflows" || kind === "views") return inModules(content.controller);
  return inModules(key);
}

/** What the chosen things say, and what else people read in their modules, in other languages. */
function translationsOf(
  items: readonly StoredItem[],
  chosen: readonly DesignItem[],
  labels: readonly string[],
): DesignItem[] {
  const said = new Set<Json>(labels);
  const hear = (value: Json): void => {
    if (typeof value === "object" && value !== null) for (const one of Object.values(value)) hear(one);
    else said.add(value);
  };
  for (const { content } of chosen) hear(content);
  return items.flatMap(({ kind, key, content }): DesignItem[] => {
    if (kind !== "translations") return [];
    const own = ((content.labels ?? []) as readonly Content[]).filter(({ label }) => said.has(label ?? null));
    return own.length === 0 ? [] : [{ kind, key, content: { ...content, labels: own } }];
  });
}
