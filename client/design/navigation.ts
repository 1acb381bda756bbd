// The whole navigation, for those who arrange it: modules with their entries in order, and what is hidden from whom.
import type { RecordTypeKey } from "../../contract/record-type.ts";
import type { Call } from "../transport/transport.ts";

interface Arranged {
  readonly label: string;
  readonly icon: string | null;
  readonly is_active: boolean;
  /** Codes of roles; people who have no other role don't see it. */
  readonly hidden_for: readonly string[];
}

export interface ArrangedEntry extends Arranged {
  /** Null until it is saved. */
  readonly id: string | null;
  readonly key: string;
  readonly url: string;
  /** The record type that it lists; null for a link. */
  readonly controller: RecordTypeKey | null;
  /** What its record type is called by itself. */
  readonly plural: string | null;
  /** It is listed under Administration, wherever it is put. */
  readonly is_setup: boolean;
}

export interface ArrangedModule extends Arranged {
  readonly name: string;
  /** Made by people: it can be removed once it is empty. */
  readonly is_own: boolean;
  readonly entries: readonly ArrangedEntry[];
}

export interface ArrangedNavigation {
  readonly modules: readonly ArrangedModule[];
  readonly roles: readonly { readonly code: string; readonly name: string }[];
  readonly revision: string;
}

export async function readArrangement(call: Call, signal?: AbortSignal): Promise<ArrangedNavigation> {
  return (await call<{ data: ArrangedNavigation }>("development_base/menus/navigation", { signal })).data;
}

/** All or nothing; refused where somebody else changed the navigation since `revision`. */
export async function arrangeNavigation(
  call: Call,
  modules: readonly ArrangedModule[],
  revision: string,
): Promise<void> {
  const navigation = modules.map(({ is_own: _, entries, ...module }) => ({
    ...module,
    entries: entries.map(({ controller: _controller, plural: _plural, is_setup: _setup, ...entry }) => entry),
  }));
  await call("development_base/menus/arrange", { body: { navigation: JSON.stringify(navigation), revision } });
}
