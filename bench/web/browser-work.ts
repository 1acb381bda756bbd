// A fixed amount of script work in the page, measured in the same run: what an interaction takes is told as a multiple of it, so
// that figures of two machines, or of a busy and an idle one, can be compared.
import type { Page } from "playwright-core";

/** Sorting and hashing texts, about as much as a list of a few thousand rows asks for. Gives milliseconds. */
export const scriptWork = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const began = performance.now();
    let hash = 0;
    for (let round = 0; round < 20; round += 1) {
      const texts = Array.from({ length: 20_000 }, (_, index) => `${(index * 7919) % 20_011} row ${index % 97}`);
      texts.sort();
      for (const text of texts)
        for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) | 0;
    }
    // Used, so that it is not left out.
    return performance.now() - began + (hash === 0 ? 1e-9 : 0);
  });
