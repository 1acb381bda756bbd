// Takes the configuration; gives the file store that it names: a bucket, or else a folder of DATA_DIR.
import path from "node:path";
import type { Config } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { localStore, removeHalfWritten } from "./local-store.ts";
import { s3Store } from "./s3-store.ts";

export async function openFileStore({ files, dataDir }: Config): Promise<FileStore> {
  if (files.s3) return s3Store(files.s3);
  const root = path.join(dataDir, "files");
  await removeHalfWritten(root);
  return localStore(root);
}
