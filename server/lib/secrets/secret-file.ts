// Takes a folder and a name; gives the secret kept there, making one the first time. Readable by its owner alone.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { writeOnce } from "../write-once.ts";

const fileOf = (dataDir: string, name: string): string => path.join(dataDir, "secrets", name);

export const secretFile = (dataDir: string, name: string): string =>
  writeOnce(fileOf(dataDir, name), () => randomBytes(48).toString("base64url"));

/** Undefined where none was made yet. */
export const readSecretFile = (dataDir: string, name: string): string | undefined =>
  existsSync(fileOf(dataDir, name)) ? secretFile(dataDir, name) : undefined;
