// A design as files: one document per thing in a folder, or all of them in one file. Takes what a stranger may have written, so sizes,
// depth, names and links are bounded before anything is read as a design. Gives sorted, indented JSON that can be compared line by line.
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { exceeds } from "../lib/json/exceeds.ts";
import {
  type Content,
  DESIGN_FORMAT,
  DESIGN_VERSION,
  type Design,
  DesignFileFault,
  designKinds,
  readItem,
  sortedJson,
} from "./design.ts";

export const LARGEST_FILE = 2 * 1024 * 1024;
export const LARGEST_DESIGN = 16 * 1024 * 1024;
const MOST_FILES = 5_000;
const DEEPEST = 40;
const MANIFEST = "design.json";
const FILE_NAME = /^[a-z0-9][a-z0-9_.-]{0,150}\.json$/;

const manifestSchema = z.object({
  format: z.literal(DESIGN_FORMAT),
  version: z.int(),
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).default(""),
});
const fileSchema = manifestSchema.extend({ files: z.record(z.string(), z.unknown()) });

/** JSON that is not deeper than any design, and has no key that means something to JavaScript. */
function parse(text: string, place: string): unknown {
  if (exceeds(text, { levels: DEEPEST, marks: Number.POSITIVE_INFINITY }) !== undefined) {
    throw new DesignFileFault(`${place} is nested deeper than ${DEEPEST} levels.`);
  }
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === "__proto__" || key === "constructor" || key === "prototype") {
        throw new DesignFileFault(`${place} has a key that is not allowed: ${key}.`);
      }
      if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
        throw new DesignFileFault(`${place} has a text that can't be stored: ${key}.`);
      }
      return value;
    });
  } catch (error) {
    if (error instanceof DesignFileFault) throw error;
    throw new DesignFileFault(`${place} isn't valid JSON.`);
  }
}

function readManifest<Shape extends z.ZodType<{ version: number }>>(schema: Shape, content: unknown, place: string) {
  const parsed = schema.safeParse(content);
  if (!parsed.success) {
    throw new DesignFileFault(
      `${place} isn't a design: it must say "format": "${DESIGN_FORMAT}", "version" and "name".`,
    );
  }
  if (parsed.data.version !== DESIGN_VERSION) {
    const { version } = parsed.data;
    const advice = version > DESIGN_VERSION ? "Update Dossier to apply it" : "Export it again with this version";
    throw new DesignFileFault(
      `${place} has format version ${version}, and this is version ${DESIGN_VERSION}. ${advice}.`,
    );
  }
  return parsed.data;
}

function designOf(
  { name, description }: { readonly name: string; readonly description: string },
  files: readonly (readonly [string, unknown])[],
): Design {
  const items = files.map(([place, content]) => {
    const [kind, file, ...more] = place.split("/");
    const known = designKinds.find((one) => one === kind);
    if (known === undefined || file === undefined || more.length > 0 || !FILE_NAME.test(file)) {
      throw new DesignFileFault(`${place.slice(0, 200)} is no file of a design. Expected ${designKinds.join(", ")}.`);
    }
    return readItem(known, content, place);
  });
  const seen = new Set<string>();
  for (const { kind, key } of items) {
    if (seen.has(`${kind} ${key}`)) throw new DesignFileFault(`The design has ${key} of ${kind} twice.`);
    seen.add(`${kind} ${key}`);
  }
  return { name, description, items };
}

/** All of a design in one file. */
export function parseDesign(text: string, place = "The file"): Design {
  if (text.length > LARGEST_DESIGN) throw new DesignFileFault(`${place} is larger than ${LARGEST_DESIGN} bytes.`);
  const { files, ...manifest } = readManifest(fileSchema, parse(text, place), place);
  const all = Object.entries(files);
  if (all.length > MOST_FILES) throw new DesignFileFault(`${place} has more than ${MOST_FILES} documents.`);
  return designOf(manifest, all);
}

const written = (value: unknown): string => `${JSON.stringify(sortedJson(value), null, 2)}\n`;

const manifestOf = ({ name, description }: Design) => ({
  format: DESIGN_FORMAT,
  version: DESIGN_VERSION,
  name,
  description,
});

export const writeDesign = (design: Design): string =>
  written({ ...manifestOf(design), files: Object.fromEntries(placesOf(design)) });

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 60);

/** Where each thing is written: called as people call it, where its key is for machines. */
function placesOf({ items }: Design): [string, Content][] {
  const taken = new Set<string>();
  return items.map(({ kind, key, content }) => {
    const { controller, name } = content;
    const isNamed = content.id !== undefined && typeof controller === "string" && typeof name === "string";
    const base = isNamed ? `${controller.replace("/", ".")}.${slug(name) || "unnamed"}` : key.replace("/", ".");
    let place = `${kind}/${base}.json`;
    for (let number = 2; taken.has(place); number += 1) place = `${kind}/${base}-${number}.json`;
    taken.add(place);
    return [place, content];
  });
}

/** What a folder or a file holds. */
export async function readDesignAt(place: string): Promise<Design> {
  const found = await lstat(place).catch(() => undefined);
  if (!found) throw new DesignFileFault(`There is no file or folder ${place}.`);
  if (found.isFile()) return parseDesign(await readBounded(place, LARGEST_DESIGN), place);
  if (!found.isDirectory()) throw new DesignFileFault(`${place} is neither a file nor a folder.`);
  const manifest = path.join(place, MANIFEST);
  const head = readManifest(manifestSchema, parse(await readBounded(manifest, LARGEST_FILE), manifest), manifest);
  const files: [string, unknown][] = [];
  let size = 0;
  for (const kind of designKinds) {
    const folder = path.join(place, kind);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      // A link could lead anywhere.
      if (!entry.isFile() || !FILE_NAME.test(entry.name)) {
        throw new DesignFileFault(`${path.join(folder, entry.name)} is no file of a design.`);
      }
      const text = await readBounded(path.join(folder, entry.name), LARGEST_FILE);
      size += text.length;
      files.push([`${kind}/${entry.name}`, parse(text, `${kind}/${entry.name}`)]);
      if (files.length > MOST_FILES || size > LARGEST_DESIGN) {
        throw new DesignFileFault(`${place} is larger than ${MOST_FILES} files or ${LARGEST_DESIGN} bytes.`);
      }
    }
  }
  return designOf(head, files);
}

async function readBounded(file: string, most: number): Promise<string> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) throw new DesignFileFault(`There is no file ${file}.`);
  if (found.size > most) throw new DesignFileFault(`${file} is larger than ${most} bytes.`);
  return readFile(file, "utf8");
}

/** Into one file, if the name ends with .json, else into a folder, whose files of an earlier export go. */
export async function writeDesignAt(place: string, design: Design): Promise<void> {
  if (place.endsWith(".json")) {
    await writeFile(place, writeDesign(design));
    return;
  }
  const found = await lstat(place).catch(() => undefined);
  if (found && !found.isDirectory()) {
    throw new DesignFileFault(`${place} is a file. Name a folder, or a file that ends with .json.`);
  }
  if (found && (await readdir(place)).length > 0 && !(await lstat(path.join(place, MANIFEST)).catch(() => undefined))) {
    throw new DesignFileFault(`${place} holds something else than a design. Name an empty or a new folder.`);
  }
  await mkdir(place, { recursive: true });
  for (const kind of designKinds) await rm(path.join(place, kind), { recursive: true, force: true });
  await writeFile(path.join(place, MANIFEST), written(manifestOf(design)));
  for (const [file, content] of placesOf(design)) {
    await mkdir(path.join(place, path.dirname(file)), { recursive: true });
    await writeFile(path.join(place, file), written(content));
  }
}
