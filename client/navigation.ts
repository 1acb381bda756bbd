// The caller's navigation: modules and the record types in them, in the order of the service.
import { type MenuAddress, type RecordTypeKey, readMenuUrl } from "./address.ts";
import type { Call } from "./transport.ts";

interface MenuBody {
  readonly data: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly icon?: string | null;
        readonly children?: Readonly<Record<string, { label: string; url: string; icon?: string | null }>>;
      }
    >
  >;
}

export interface NavigationEntry extends MenuAddress {
  readonly key: RecordTypeKey;
  readonly label: string;
  readonly icon: string | undefined;
}

export interface NavigationModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string | undefined;
  readonly entries: readonly NavigationEntry[];
}

export async function readNavigation(call: Call, signal?: AbortSignal): Promise<readonly NavigationModule[]> {
  return navigationModules(await call<MenuBody>("development_base/menus/app_menu", { signal }));
}

/** Leaves out entries without a readable address, and modules that have no entry left. */
export function navigationModules(body: MenuBody): readonly NavigationModule[] {
  return Object.entries(body.data ?? {})
    .map(([name, module]) => ({
      name,
      label: module.label,
      icon: module.icon ?? undefined,
      entries: Object.values(module.children ?? {}).flatMap((entry) => {
        const address = readMenuUrl(entry.url);
        if (address === undefined) return [];
        const key = `${address.module}/${address.controller}`;
        return [{ ...address, key, label: entry.label, icon: entry.icon ?? undefined }];
      }),
    }))
    .filter((module) => module.entries.length > 0);
}
