// Takes a multipart body as it arrives; gives its tree, with files written to a temporary folder of this request.
// Whatever goes wrong, the folder is gone afterwards; when all went well, the caller of `remove` sees to that.

import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { BodyLimits } from "../operations/operation.ts";
import { type Body, decodeText } from "../request/body.ts";
import { bracketTree } from "../request/brackets.ts";
import { inMebibytes, limits } from "../request/limits.ts";
import { type Part, parseMultipart } from "../request/multipart.ts";
import { UploadedFile } from "../request/tree.ts";

export interface Upload {
  readonly body: Body;
  remove(): Promise<void>;
}

export interface UploadPlace extends BodyLimits {
  readonly root: string;
}

export const uploadRoot = (dataDir: string): string => path.join(dataDir, "tmp");

export async function receiveUpload(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  { root, ...taken }: UploadPlace,
  maximumKeys?: number,
): Promise<Upload> {
  const folder = path.join(root, randomUUID());
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    return { body: await receive(limited(chunks, taken), boundary, folder, taken, maximumKeys), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function receive(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  folder: string,
  taken: BodyLimits,
  maximumKeys: number | undefined,
): Promise<Body> {
  const tree = bracketTree(maximumKeys);
  const files: UploadedFile[] = [];
  let textBytes = 0;
  let current: { part: Part; bytes: Buffer[]; size: number; file: FileHandle | undefined; path: string } | undefined;
  try {
    for await (const event of parseMultipart(chunks, boundary)) {
      if (event.kind === "part") {
        const { part } = event;
        const target = path.join(folder, String(files.length));
        current = { part, bytes: [], size: 0, file: undefined, path: target };
        if (part.fileName) {
          if (files.length === taken.files)
            throw new Failure("too_large", {
              with: { limit: taken.files === 0 ? "plain values" : `${taken.files} files` },
            });
          await mkdir(folder, { recursive: true, mode: 0o700 });
          current.file = await open(target, "wx", 0o600);
        }
      } else if (current === undefined) {
        throw new Error("multipart content without a part");
      } else if (event.kind === "bytes") {
        current.size += event.bytes.length;
        if (current.file) {
          if (current.size > taken.fileBytes) throw tooLarge(taken.fileBytes);
          await current.file.writeFile(event.bytes);
        } else {
          textBytes += event.bytes.length;
          if (textBytes > taken.bytes) throw tooLarge(taken.bytes);
          // The chunk's memory may be used again by the socket.
          current.bytes.push(Buffer.from(event.bytes));
        }
      } else {
        const { part, file, size } = current;
        await file?.close();
        if (file && part.fileName) {
          const uploaded = new UploadedFile(current.path, part.fileName, part.mimeType, size);
          files.push(uploaded);
          tree.add(part.name, uploaded);
        } else if (part.fileName === undefined) {
          tree.add(part.name, decodeText(Buffer.concat(current.bytes)));
        } else if (size > 0) {
          throw new Failure("malformed_body", { with: { reason: say("file_without_name") } });
        }
        // What is left, a file input that was left empty, says nothing.
        current = undefined;
      }
    }
  } finally {
    await current?.file?.close();
  }
  return { tree: tree.finish(), files };
}

/** What surrounds the parts counts too: an endless preamble must end somewhere. */
async function* limited(chunks: AsyncIterable<Uint8Array>, taken: BodyLimits): AsyncGenerator<Uint8Array> {
  const most = taken.bytes + taken.files * (taken.fileBytes + limits.partHeaderBytes) + limits.strangersBytes;
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > most) throw tooLarge(most);
    yield chunk;
  }
}

const tooLarge = (bytes: number) => new Failure("too_large", { with: { limit: inMebibytes(bytes) } });

/** Removes what a crash may have left: folders that no running request can own any more. */
export async function removeStaleUploads(root: string, olderThan = 60 * 60 * 1000): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const folder = path.join(root, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > olderThan) await rm(folder, { recursive: true, force: true });
  }
}
