// Takes the configuration; gives the file store that it names: a bucket, or else a folder of DATA_DIR.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config.ts";
import { untimed } from "../database/scope.ts";
import { writeOnce } from "../lib/write-once.ts";
import type { FileStore } from "./file-store.ts";
import { localStore, removeHalfWritten } from "./local-store.ts";
import { s3Store } from "./s3-store.ts";

export async function openFileStore({ files, dataDir }: Config): Promise<FileStore> {
  if (files.s3) return patient(s3Store(files.s3));
  const root = path.join(dataDir, "files");
  await removeHalfWritten(root);
  return patient(localStore(root));
}

/** A large file takes longer than a request may. A bucket that no longer answers is noticed by its own store. */
const patient = (store: FileStore): FileStore => ({
  ...store,
  put: (key, file, size) => untimed(() => store.put(key, file, size)),
});

/** Names the place of files, the same for every process that shares it: a bucket, or a folder by what stands in it. */
export const placeOfFiles = ({ files, dataDir }: Config): string =>
  files.s3 ? `${files.s3.endpoint} ${files.s3.bucket}` : writeOnce(placeFile(dataDir), () => randomUUID());

/** The same for who changes nothing; undefined where no service has kept files there yet. */
export const knownPlaceOfFiles = (config: Config): string | undefined =>
  config.files.s3 || existsSync(placeFile(config.dataDir)) ? placeOfFiles(config) : undefined;

const placeFile = (dataDir: string): string => path.join(dataDir, "files", ".place");
