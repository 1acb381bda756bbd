// The designs that the service comes with, to begin from: folders of files like any other design.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { startersFolder } from "../lib/root.ts";
import type { Design } from "./design.ts";
import { readDesignAt } from "./design-files.ts";

export async function starterNames(): Promise<readonly string[]> {
  const entries = await readdir(startersFolder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Undefined where there is none of that name. */
export async function readStarter(name: string): Promise<Design | undefined> {
  return (await starterNames()).includes(name) ? readDesignAt(path.join(startersFolder, name)) : undefined;
}
