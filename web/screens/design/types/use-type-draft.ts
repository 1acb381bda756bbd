// A record type that is being designed and not saved yet. It outlives a reload and an ended session, in this tab, for who
// designed it.
import { useState } from "react";
import { ownKey } from "../../../session/own-key.ts";
import { definitionOf, type TypeDraft } from "./type-draft.ts";

interface Kept {
  readonly draft: TypeDraft;
  /** What it was made on. */
  readonly revision: string | null;
}

export interface HeldDraft {
  readonly draft: TypeDraft;
  readonly revision: string | undefined;
  readonly isDirty: boolean;
  /** It was designed before this page was opened. */
  readonly isOld: boolean;
  change(next: TypeDraft): void;
  clear(): void;
}

const same = (one: TypeDraft, other: TypeDraft): boolean =>
  JSON.stringify(definitionOf(one)) === JSON.stringify(definitionOf(other));

export function useTypeDraft(key: string, stored: TypeDraft, revision: string | undefined): HeldDraft {
  const storageKey = ownKey("design", key);
  const [found] = useState(() => read(storageKey));
  const [kept, setKept] = useState<Kept>(() => found ?? { draft: stored, revision: revision ?? null });
  const [isOld, setOld] = useState(found !== undefined);
  return {
    draft: kept.draft,
    revision: kept.revision ?? undefined,
    isDirty: !same(kept.draft, stored),
    isOld,
    change: (draft) => {
      const next = { draft, revision: kept.revision };
      setKept(next);
      if (same(draft, stored)) sessionStorage.removeItem(storageKey);
      else sessionStorage.setItem(storageKey, JSON.stringify(next));
    },
    clear: () => {
      sessionStorage.removeItem(storageKey);
      setKept({ draft: stored, revision: revision ?? null });
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
