// What was typed into a form and not saved yet. It outlives a reload and an ended session, in this tab, for who typed it.
import { useState } from "react";
import type { WireChild, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { ownKey } from "../../../session/own-key.ts";
import { same, seeded } from "./seeded.ts";

export interface Change {
  /** Of a grid: all its rows. */
  readonly value: WireValue | readonly WireChild[];
  /** What a newly chosen reference is called. */
  readonly text?: string | null | undefined;
  /** What was there when it was first changed. */
  readonly from?: unknown;
  readonly fromText?: string | undefined;
}

export type Changes = Readonly<Record<string, Change>>;

interface Kept {
  readonly revision: string | null;
  readonly changes: Changes;
  /** What a new record started with. */
  readonly seed?: Changes;
}

export interface Draft {
  readonly changes: Changes;
  readonly isDirty: boolean;
  /** It was typed before this page was opened. */
  readonly isOld: boolean;
  /** The revision that the changes were made on. */
  readonly revision: string | undefined;
  /** `shown`: what stands in the form where nothing was typed, if that is not what the record has. */
  change(field: string, change: Change, shown?: WireRecord): void;
  /** Leaves fields as they are stored, puts others back to what they were, and goes on from another revision. */
  rebase(dropped: readonly string[], revision: string | undefined, restored?: readonly string[]): Changes;
  /** Puts everything back to what the form starts with. */
  discard(): void;
  clear(): void;
}

/** `seed`: what a new record starts with, as if it had been typed. */
export function useDraft(key: string, record: WireRecord, seed: Changes = {}): Draft {
  const storageKey = ownKey("draft", key);
  const revision = typeof record.revision === "string" ? record.revision : null;
  const [found] = useState(() => read(storageKey));
  const [kept, setKept] = useState<Kept>(() => ({
    revision: found?.revision ?? revision,
    changes: seeded(found, seed),
  }));
  const [isOld, setOld] = useState(Object.keys(found?.changes ?? {}).length > 0);
  const keep = (next: Kept): void => {
    setKept(next);
    if (Object.keys(next.changes).length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify({ ...next, seed }));
  };
  // Without a change the form starts from what is on the screen.
  const startOf = ({ changes, revision: started }: Kept) => (Object.keys(changes).length === 0 ? revision : started);
  return {
    changes: kept.changes,
    isDirty: Object.keys(kept.changes).length > 0,
    isOld,
    revision: startOf(kept) ?? undefined,
    change: (field, change, shown = record) => {
      const { [field]: before, ...others } = kept.changes;
      const called = shown[`__${field}`];
      const from = before
        ? { from: before.from, fromText: before.fromText }
        : { from: shown[field], fromText: typeof called === "string" ? called : undefined };
      const changes = same(change.value, shown[field]) ? others : { ...others, [field]: { ...change, ...from } };
      keep({ revision: startOf(kept), changes });
    },
    rebase: (dropped, next, restored = []) => {
      const left = Object.entries(kept.changes).filter(([field]) => !dropped.includes(field));
      const changes = Object.fromEntries(
        left.map(([field, change]): [string, Change] =>
          // What was there before came over the wire.
          restored.includes(field)
            ? [field, { ...change, value: (change.from ?? null) as WireValue }]
            : [field, change],
        ),
      );
      keep({ revision: next ?? null, changes });
      return changes;
    },
    discard: () => {
      sessionStorage.removeItem(storageKey);
      setKept({ revision, changes: seed });
      setOld(false);
    },
    clear: () => {
      keep({ revision, changes: {} });
      setOld(false);
    },
  };
}

/** Hands what was typed into one form of a new record on to another. */
export function handOn(changes: Changes, from: string, to: string): void {
  sessionStorage.removeItem(ownKey("draft", from));
  const kept: Kept = { revision: null, changes };
  if (Object.keys(changes).length > 0) sessionStorage.setItem(ownKey("draft", to), JSON.stringify(kept));
}

function read(storageKey: string): Kept | undefined {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    return typeof parsed === "object" && parsed !== null && "changes" in parsed ? (parsed as Kept) : undefined;
  } catch {
    return undefined;
  }
}
