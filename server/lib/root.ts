// Gives the folder that holds package.json, from sources and from the built bundle alike.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(from: string): string {
  if (existsSync(path.join(from, "package.json"))) return from;
  const parent = path.dirname(from);
  if (parent === from) throw new Error("package.json was not found above the program");
  return findRoot(parent);
}

export const root: string = findRoot(path.dirname(fileURLToPath(import.meta.url)));

/** The designs that the service comes with: a folder for each. */
export const startersFolder: string = path.join(root, "starters");
