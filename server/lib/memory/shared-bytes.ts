// Takes a text; gives its bytes, for a short one the same to everybody whose answers have it. They are not part of Buffer's pool,
// of which a small piece would keep 8 kB.
import { Recent } from "./recent.ts";

const known = new Recent<string, Buffer>(20_000);
const MOST_SHARED = 512;

export function sharedBytes(text: string): Buffer {
  if (text.length > MOST_SHARED) return ownBytes(text);
  let bytes = known.get(text);
  if (bytes === undefined) {
    bytes = ownBytes(text);
    known.set(text, bytes);
  }
  return bytes;
}

function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
