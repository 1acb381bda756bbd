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
  readonly label: string;
  readonly icon: string | undefined;
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
  const query = begun ? { begun: 1 } : {};
  return navigationModules(await call<MenuBody>("development_base/menus/app_menu", { query, signal }));
}

/** Leaves out entries without a readable address, and modules that have no entry left. */
export function navigationModules(body: MenuBody): readonly NavigationModule[] {
  return Object.entries(body.data ?? {})
    .map(([name, module], index) => ({
      name,
      label: module.label,
      icon: module.icon ?? undefined,
      ...(index === 0 && body.begun !== undefined ? { hasBegun: body.begun === 1 } : {}),
      links: Object.values(module.children ?? {}).flatMap(({ label, url, icon, controller }) =>
        controller === null
          ? [{ label, href: /^https?:/i.test(url) ? url : `/${url.replace(/^\/+/, "")}`, icon: icon ?? undefined }]
          : [],
      ),
      entries: Object.values(module.children ?? {}).flatMap((entry) => {
        const address = entry.controller === null ? undefined : readMenuUrl(entry.url);
        if (address === undefined) return [];
        const key = `${address.module}/${address.controller}`;
        const { label, icon, singular, section = "work", operations = [] } = entry;
        return [{ ...address, key, label, icon: icon ?? undefined, singular: singular ?? label, section, operations }];
      }),
    }))
    .filter((module) => module.entries.length + module.links.length > 0);
}
