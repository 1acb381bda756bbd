// The caller's navigation: modules and the record types in them, in the order of the service.
import type { MatrixOperation } from "../../contract/permissions.ts";
import { type MenuAddress, type RecordTypeKey, readMenuUrl } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

/** Where an entry belongs for the caller; null: they can only look at how others have set it up. */
export type NavigationSection = "work" | "administration" | null;

interface MenuEntry {
  readonly label: string;
  readonly url: string;
  readonly icon?: string | null;
  /** The record type that it lists; null for a link. */
  readonly controller?: RecordTypeKey | null;
  readonly singular?: string | null;
  readonly section?: NavigationSection;
  readonly operations?: readonly MatrixOperation[];
  readonly is_followed?: 0 | 1;
  readonly is_hidden?: 0 | 1;
}

interface MenuBody {
  readonly begun?: 0 | 1;
  readonly data: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly icon?: string | null;
        readonly children?: Readonly<Record<string, MenuEntry>>;
      }
    >
  >;
}

export interface NavigationEntry extends MenuAddress {
  readonly key: RecordTypeKey;
  /** What one of its records is called. */
  readonly singular: string;
  readonly section: NavigationSection;
  /** What the caller can do with its records. */
  readonly operations: readonly MatrixOperation[];
  /** Changes of its records are told, so that a webhook can send them. */
  readonly isFollowed: boolean;
  readonly label: string;
  readonly icon: string | undefined;
  /** Not shown in the navigation; what the caller can do with its records stays the same. */
  readonly isHidden: boolean;
}

/** An entry that leads somewhere else than to a list of records. */
export interface NavigationLink {
  readonly label: string;
  readonly href: string;
  readonly icon: string | undefined;
}

export interface NavigationModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string | undefined;
  readonly entries: readonly NavigationEntry[];
  readonly links: readonly NavigationLink[];
  /** Of the first module, if it was asked: whether the caller sees any of its records. */
  readonly hasBegun?: boolean;
}

/** `begun`: asks also whether there is any record yet. */
export async function readNavigation(
  call: Call,
  { begun = false }: { readonly begun?: boolean } = {},
  signal?: AbortSignal,
): Promise<readonly NavigationModule[]> {
  const query = { hidden: 1, ...(begun ? { begun: 1 } : {}) };
  return navigationModules(await call<MenuBody>("development_base/menus/app_menu", { query, signal }));
}

/** Leaves out entries without a readable address, and modules that have no entry left. */
export function navigationModules(body: MenuBody): readonly NavigationModule[] {
  const modules = Object.entries(body.data ?? {});
  const first = modules.findIndex(([, module]) => Object.values(module.children ?? {}).some(isShown));
  return modules
    .map(([name, module], index) => ({
      name,
      label: module.label,
      icon: module.icon ?? undefined,
      ...(index === first && body.begun !== undefined ? { hasBegun: body.begun === 1 } : {}),
      links: Object.values(module.children ?? {}).flatMap((entry) => {
        const { label, url, icon, controller } = entry;
        return controller === null && isShown(entry)
          ? [{ label, href: /^https?:/i.test(url) ? url : `/${url.replace(/^\/+/, "")}`, icon: icon ?? undefined }]
          : [];
      }),
      entries: Object.values(module.children ?? {}).flatMap((entry) => {
        const address = entry.controller === null ? undefined : readMenuUrl(entry.url);
        if (address === undefined) return [];
        const key = `${address.module}/${address.controller}`;
        const { label, icon, singular, section = "work", operations = [] } = entry;
        const called = { label, icon: icon ?? undefined, singular: singular ?? label };
        const isFollowed = entry.is_followed === 1;
        return [{ ...address, key, ...called, section, operations, isFollowed, isHidden: !isShown(entry) }];
      }),
    }))
    .filter((module) => module.entries.length + module.links.length > 0);
}

const isShown = (entry: MenuEntry): boolean => entry.is_hidden !== 1;

/** What the navigation shows of it. */
export const shownModules = (modules: readonly NavigationModule[]): readonly NavigationModule[] =>
  modules
    .map((module) => ({ ...module, entries: module.entries.filter(({ isHidden }) => !isHidden) }))
    .filter(({ entries, links }) => entries.length + links.length > 0);
