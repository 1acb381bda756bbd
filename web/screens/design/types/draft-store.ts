// A draft of a record type and where it is kept until it is saved. Takes the storage and the names of its keys; tells a listener
// of every change. Never calls the service.
import { type Kept, same, type TypeDraft, takeUp } from "./type-draft.ts";

export interface DraftStoreOptions {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly keyOf: (key: string) => string;
  readonly key: string;
  readonly stored: TypeDraft;
  readonly revision: string | undefined;
  readonly onChange: () => void;
}

export class DraftStore {
  readonly #options: DraftStoreOptions;
  #kept: Kept;
  #isOld: boolean;
  /** Where it is kept and what it is compared with: between a save and what comes of it, what was saved. */
  #place: { readonly storageKey: string; readonly stored: TypeDraft };

  constructor(options: DraftStoreOptions) {
    const { storage, keyOf, key, stored, revision } = options;
    this.#options = options;
    this.#place = { storageKey: keyOf(key), stored };
    const found = takeUp(read(storage.getItem(this.#place.storageKey)), stored, revision);
    if (found === undefined) storage.removeItem(this.#place.storageKey);
    this.#isOld = found !== undefined;
    this.#kept = found ?? this.#untouched();
  }

  get kept(): Kept {
    return this.#kept;
  }

  get isDirty(): boolean {
    return !same(this.#kept.draft, this.#place.stored);
  }

  /** It was designed before this page was opened. */
  get isOld(): boolean {
    return this.#isOld;
  }

  change(draft: TypeDraft): void {
    this.#keep({ ...this.#kept, draft });
  }

  /** Goes on from what is stored now. */
  rebase(draft: TypeDraft): void {
    this.#isOld = false;
    this.#keep({ ...this.#untouched(), draft });
  }

  /** One was saved: what is on the screen stays until the stored one takes its place, and what is changed goes on from that. */
  release(saved: TypeDraft, key: string): void {
    this.#options.storage.removeItem(this.#place.storageKey);
    this.#place = { storageKey: this.#options.keyOf(key), stored: saved };
    this.#keep({ ...this.#kept, base: saved });
  }

  /** What is stored was read again. It is the same where the save changed nothing: then it takes the place of what was saved. */
  settle(): void {
    const { keyOf, key, stored, onChange } = this.#options;
    // What was new has a page of its own.
    if (this.#place.storageKey !== keyOf(key)) return;
    const isUntouched = !this.isDirty;
    this.#place = { ...this.#place, stored };
    if (isUntouched) this.#isOld = false;
    this.#kept = isUntouched ? this.#untouched() : { ...this.#kept, base: stored };
    onChange();
  }

  clear(): void {
    this.#isOld = false;
    this.#keep(this.#untouched());
  }

  #untouched(): Kept {
    const { stored } = this.#place;
    return { draft: stored, revision: this.#options.revision ?? null, base: stored };
  }

  #keep(next: Kept): void {
    this.#kept = next;
    const { storage } = this.#options;
    if (this.isDirty) storage.setItem(this.#place.storageKey, JSON.stringify(next));
    else storage.removeItem(this.#place.storageKey);
    this.#options.onChange();
  }
}

function read(text: string | null): Kept | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? "null");
    // Written by this file alone.
    return typeof parsed === "object" && parsed !== null && "draft" in parsed ? (parsed as Kept) : undefined;
  } catch {
    return undefined;
  }
}
