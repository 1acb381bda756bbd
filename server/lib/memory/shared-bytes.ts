// Takes a short text; gives its bytes, the same for everybody whose answers have it. They are not part of Buffer's pool, of which
// a small piece would keep 8 kB.
import { Recent } from "./recent.ts";

const known = new Recent<string, Buffer>(20_000);

export function sharedBytes(text: string): Buffer {
  let bytes = known.get(text);
  if (bytes === undefined) {
    bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    bytes.write(text);
    known.set(text, bytes);
  }
  return bytes;
}
