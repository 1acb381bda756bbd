// Files that were chosen and not sent yet. A form's draft is kept as text, so it holds only a mark of the file; the file
// itself is here, as long as the page is.
import type { WireValue } from "../../../client/records/records.ts";

const files = new Map<string, File>();
let last = 0;

/** The value that stands for the file until it is saved. */
export function holdFile(file: File): WireValue {
  last += 1;
  const pending = `${Date.now()}-${last}`;
  files.set(pending, file);
  return { pending, name: file.name, type: file.type, size: String(file.size) };
}

export const isPending = (value: unknown): value is { readonly pending: string } =>
  typeof value === "object" && value !== null && "pending" in value && typeof value.pending === "string";

/** Undefined after a reload: then it has to be chosen again. */
export const heldFile = (value: unknown): File | undefined => (isPending(value) ? files.get(value.pending) : undefined);
