// Takes a picture; writes it anew as a picture of the same kind that shows the same and holds nothing else: no metadata, turned
// the right way up, within bounds; and a thumbnail. A file that only claims to be a picture fails here.
import { stat } from "node:fs/promises";
import { busy, currentScope } from "../database/scope.ts";
import { createFairGate } from "../lib/turns/fair-gate.ts";

export const pictureTypes: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];

const LONGEST_SIDE = 4_096;
const THUMBNAIL_SIDE = 320;
/** A picture of a few kilobytes can unfold into gigabytes: about 50 megapixels are enough. */
const MOST_PIXELS = 50_000_000;

export interface Picture {
  readonly path: string;
  readonly thumbnail: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
}

/** One picture unfolds into up to 200 MB: no more than two at a time, and one of an organization; the others wait by turns. */
const gate = createFairGate({ slots: 2, perName: 1, mostWaiting: 100, refuse: busy });

/** `share`: in whose name, an organization's or a stranger's address. */
export const rewritePicture = (path: string, mimeType: string, share: string): Promise<Picture | undefined> =>
  gate.run(share, () => rewrite(path, mimeType), { deadline: currentScope()?.deadline });

/** Undefined when it cannot be read as a picture. The two new files stand beside the given one. */
async function rewrite(path: string, mimeType: string): Promise<Picture | undefined> {
  const { default: sharp } = await import("sharp");
  // Files come once: a cache would only hold memory.
  sharp.cache(false);
  const target = `${path}.rewritten`;
  const thumbnail = `${path}.thumbnail`;
  const input = { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true } as const;
  const bounds = { fit: "inside", withoutEnlargement: true } as const;
  try {
    const moving = mimeType === "image/gif" || mimeType === "image/webp";
    const whole = sharp(path, { ...input, animated: moving })
      .rotate()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, ...bounds });
    const written =
      mimeType === "image/jpeg"
        ? whole.jpeg({ quality: 88, mozjpeg: true })
        : mimeType === "image/png"
          ? whole.png()
          : mimeType === "image/webp"
            ? whole.webp({ quality: 88 })
            : whole.gif();
    const info = await written.toFile(target);
    await sharp(path, input)
      .rotate()
      .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, ...bounds })
      .webp({ quality: 78 })
      .toFile(thumbnail);
    const { size } = await stat(target);
    // The frames of a moving picture stand one above the other.
    return { path: target, thumbnail, size, width: info.width, height: info.pageHeight ?? info.height };
  } catch (error) {
    // The picture may be well: there is no room to write it anew.
    if (/No space left|ENOSPC|quota exceeded/i.test(String(error))) {
      throw Object.assign(new Error("no space left for the picture", { cause: error }), { code: "ENOSPC" });
    }
    return undefined;
  }
}
