// Takes the snapshot; gives the navigation as rows: modules, and one entry per record type that people visit.
import { humanize } from "../../../contract/labels.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { MasterData } from "../masters/data.ts";

/** How modules are called and ordered; a module made at run time follows with its own name. */
const known: Readonly<Record<string, { label: string; icon: string }>> = {
  crm: { label: "Sales", icon: "briefcase" },
  core: { label: "Work", icon: "layout-list" },
  access_controls: { label: "People and access", icon: "shield-lock" },
  masters: { label: "Reference data", icon: "world" },
  development_base: { label: "Service", icon: "settings" },
};

/** How the service itself is set up. */
const setupModules: ReadonlySet<string> = new Set(["core", "access_controls", "masters", "development_base"]);

export const isSetup = (type: RecordType): boolean => type.isSetup || setupModules.has(type.module);

/** Where people can put types of their own: in the others nobody would find them in the navigation. */
export const isForOwnTypes = ({ name }: ModuleEntry): boolean => !setupModules.has(name);

export interface ModuleEntry {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
}

export function modulesOf(snapshot: Snapshot): readonly ModuleEntry[] {
  const order = Object.keys(known);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : 0.5);
  return [...snapshot.modules]
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => ({ name, label: known[name]?.label ?? humanize(name), icon: known[name]?.icon ?? "folder" }));
}

/** The types that people visit: what they talk about first, what it is sorted and filled by after it. */
export const typesOf = (snapshot: Snapshot): readonly RecordType[] =>
  [...snapshot.types.values()]
    .filter((type) => !type.hidden)
    .sort((one, other) => Number(other.allowComments) - Number(one.allowComments));

export function menuData(snapshot: Snapshot): readonly MasterData[] {
  const modules = modulesOf(snapshot);
  return [
    {
      type: "development_base/modules",
      key: "name",
      rows: () => modules.map((module, index) => ({ ...module, sequence: String(index + 1), is_active: "1" })),
      changedByPeople: true,
    },
    {
      type: "development_base/menus",
      key: "url",
      rows: () =>
        typesOf(snapshot).map((type, index) => ({
          key: type.controller,
          label: type.plural,
          url: `${type.key}/index`,
          type: "controller",
          module: type.module,
          icon: type.icon ?? null,
          sequence: String(index + 1),
          is_active: "1",
        })),
      changedByPeople: true,
    },
  ];
}
