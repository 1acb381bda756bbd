// Takes a folder of PostgreSQL's programs; gives what it should hold, missing links included, and can make a copy of it;
// never changes a file that exists.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { z } from "zod";

export type Entry =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "file"; readonly name: string; readonly size: number; readonly mode: number }
  | { readonly kind: "link"; readonly name: string; readonly target: string };

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The links that npm leaves out of a package and that its install script, when allowed to run, would make. */
function listedLinks(native: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(path.join(native, "pg-symlinks.json"), "utf8");
  } catch {
    return [];
  }
  return linkList.parse(JSON.parse(text)).map(({ source, target }) => ({
    kind: "link",
    // Listed as native/lib/x.so -> native/lib/x.so.1: kept relative, so that the tree can be copied.
    name: path.relative("native", target),
    target: path.relative(path.dirname(target), source),
  }));
}

/** Makes the missing links where the folder can be written; gives whether all are there now. */
export function repairLinks(native: string): boolean {
  let complete = true;
  for (const entry of listedLinks(native)) {
    const file = path.join(native, entry.name);
    if (entry.kind !== "link" || lstatSync(file, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(entry.target, file);
    } catch {
      // A second service may have made it in the meantime.
      complete &&= lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    }
  }
  return complete;
}

/** Everything a running server needs, folders before what is in them. */
export function listTree(native: string): Entry[] {
  const entries = new Map<string, Entry>();
  const visit = (folder: string): void => {
    for (const child of readdirSync(path.join(native, folder), { withFileTypes: true })) {
      const name = path.join(folder, child.name);
      if (child.isDirectory()) {
        if (child.name === "pkgconfig") continue;
        entries.set(name, { kind: "folder", name });
        visit(name);
      } else if (child.isSymbolicLink()) {
        entries.set(name, { kind: "link", name, target: readlinkSync(path.join(native, name)) });
      } else if (!child.name.endsWith(".a")) {
        const { size, mode } = lstatSync(path.join(native, name));
        entries.set(name, { kind: "file", name, size, mode: mode & 0o100 ? 0o755 : 0o644 });
      }
    }
  };
  visit("");
  for (const link of listedLinks(native)) if (!entries.has(link.name)) entries.set(link.name, link);
  return [...entries.values()];
}

export function hashTree(entries: readonly Entry[]): string {
  const sorted = entries.map((entry) => JSON.stringify(entry)).sort();
  return createHash("sha256").update(sorted.join("\n")).digest("hex").slice(0, 10);
}

/** Modes are set one by one: the umask of the service must not decide who can run the copy. */
export function copyTree(native: string, entries: readonly Entry[], target: string): void {
  mkdirSync(target, { mode: 0o755 });
  chmodSync(target, 0o755);
  for (const entry of entries) {
    const file = path.join(target, entry.name);
    if (entry.kind === "link") {
      symlinkSync(entry.target, file);
      continue;
    }
    if (entry.kind === "folder") mkdirSync(file);
    else copyFileSync(path.join(native, entry.name), file);
    chmodSync(file, entry.kind === "folder" ? 0o755 : entry.mode);
  }
}

/** True when the copy is whole and nobody but the owner can have changed it. */
export function isTrustedCopy(copy: string, entries: readonly Entry[], owner: number): boolean {
  return [{ kind: "folder", name: "" } as const, ...entries].every((entry) => {
    const found = lstatSync(path.join(copy, entry.name), { throwIfNoEntry: false });
    if (found === undefined || found.uid !== owner) return false;
    if (entry.kind === "link")
      return found.isSymbolicLink() && readlinkSync(path.join(copy, entry.name)) === entry.target;
    if ((found.mode & 0o022) !== 0) return false;
    return entry.kind === "folder" ? found.isDirectory() : found.isFile() && found.size === entry.size;
  });
}
