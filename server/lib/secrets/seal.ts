// Seals small secrets that must be read again (a digest would not do): AES-256-GCM under a key made of the service's own
// secret, bound to the place where they are kept, so that a sealed text is worth nothing elsewhere.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Seal {
  close(text: string, place: string): string;
  /** Undefined for what was sealed elsewhere, under another secret, or was changed since. */
  open(sealed: string, place: string): string | undefined;
}

const [NONCE, TAG] = [12, 16];

export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "dossier seal", 32));
  return {
    close: (text, place) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
        "base64",
      );
    },
    open: (sealed, place) => {
      try {
        const bytes = Buffer.from(sealed, "base64");
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE))
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(-TAG));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
