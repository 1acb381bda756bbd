// A record type that is being designed and not saved yet. It outlives a reload and an ended session, in this tab, for who
// designed it.
import { useRef, useState } from "react";
import { ownKey } from "../../../session/own-key.ts";
import { type Kept, same, type TypeDraft, takeUp } from "./type-draft.ts";

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
  /** One was saved: what is on the screen stays until the stored one takes its place, and what was changed meanwhile goes on from that. */
  release(saved: TypeDraft, key: string): void;
  clear(): void;
}

export function useTypeDraft(key: string, stored: TypeDraft, revision: string | undefined): HeldDraft {
  const storageKey = ownKey("design", key);
  const [found] = useState(() => {
    const draft = takeUp(read(storageKey), stored, revision);
    if (draft === undefined) sessionStorage.removeItem(storageKey);
    return draft;
  });
  const [kept, setKept] = useState<Kept>(() => found ?? { draft: stored, revision: revision ?? null, base: stored });
  const latest = useRef(kept);
  latest.current = kept;
  const [isOld, setOld] = useState(found !== undefined);
  const keep = (next: Kept): void => {
    setKept(next);
    if (same(next.draft, stored)) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(next));
  };
  return {
    draft: kept.draft,
    base: kept.base,
    revision: kept.revision ?? undefined,
    isDirty: !same(kept.draft, stored),
    isOld,
    change: (draft) => keep({ ...kept, draft }),
    rebase: (draft) => {
      keep({ draft, revision: revision ?? null, base: stored });
      setOld(false);
    },
    release: (saved, savedKey) => {
      sessionStorage.removeItem(storageKey);
      const next = { ...latest.current, base: saved };
      setKept(next);
      if (!same(next.draft, saved)) sessionStorage.setItem(ownKey("design", savedKey), JSON.stringify(next));
    },
    clear: () => {
      sessionStorage.removeItem(storageKey);
      setKept({ draft: stored, revision: revision ?? null, base: stored });
      setOld(false);
    },
  };
}

function read(storageKey: string): Kept | undefined {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    // Written by this file alone.
    return typeof parsed === "object" && parsed !== null && "draft" in parsed ? (parsed as Kept) : undefined;
  } catch {
    return undefined;
  }
}
