// A record type that is being designed and not saved yet. It outlives a reload and an ended session, in this tab, for who
// designed it.
import { useReducer, useState } from "react";
import { ownKey } from "../../../session/own-key.ts";
import { DraftStore } from "./draft-store.ts";
import type { TypeDraft } from "./type-draft.ts";

export interface HeldDraft {
  readonly draft: TypeDraft;
  readonly revision: string | undefined;
  readonly isDirty: boolean;
  /** It was designed before this page was opened. */
  readonly isOld: boolean;
  /** What it was made on, as it was then. */
  readonly base: TypeDraft | undefined;
  change(next: TypeDraft): void;
  /** Goes on from what is stored now. */
  rebase(next: TypeDraft): void;
  /** One was saved under a key. */
  release(saved: TypeDraft, key: string): void;
  /** What is stored was read again after a save. */
  settle(): void;
  clear(): void;
}

export function useTypeDraft(key: string, stored: TypeDraft, revision: string | undefined): HeldDraft {
  const [, onChange] = useReducer((count: number) => count + 1, 0);
  const keyOf = (name: string): string => ownKey("design", name);
  const [store] = useState(() => new DraftStore({ storage: sessionStorage, keyOf, key, stored, revision, onChange }));
  const { draft, base, revision: madeOn } = store.kept;
  return {
    draft,
    base,
    revision: madeOn ?? undefined,
    isDirty: store.isDirty,
    isOld: store.isOld,
    change: (next) => store.change(next),
    rebase: (next) => store.rebase(next),
    release: (saved, savedKey) => store.release(saved, savedKey),
    settle: () => store.settle(),
    clear: () => store.clear(),
  };
}
