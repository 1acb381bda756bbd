// Keeps files in a bucket of an S3-compatible service, addressed by path. Bodies are signed with their digest and sent as
// they are read; a request that fails on the way or on their side is tried again, because each can be repeated.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { trimEndOf } from "../../contract/trim.ts";
import { currentScope } from "../database/scope.ts";
import { traceHeaders } from "../lib/tracing/tracer.ts";
import { checkStorageKey, type FileStore } from "./file-store.ts";

export interface S3Settings {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000` */
  readonly endpoint: string;
  readonly bucket: string;
}

interface Upload {
  readonly path: string;
  readonly size: number;
  readonly digest: string;
}

const EMPTY_DIGEST = createHash("sha256").digest("hex");
const ATTEMPTS = 3;
const IDLE_MS = 30_000;

export function s3Store(settings: S3Settings, firstWaitMs = 200): FileStore {
  const address = (key: string) =>
    new URL(`${trimEndOf(settings.endpoint, "/")}/${encodeURIComponent(settings.bucket)}/${checkStorageKey(key)}`);

  /** Gives the answer with its body unread. */
  const send = async (method: string, key: string, headers: Record<string, string>, upload?: Upload) => {
    const { region, accessKeyId, secretAccessKey } = settings;
    const signer = new AwsV4Signer({
      method,
      url: address(key).href,
      headers: {
        ...headers,
        ...traceHeaders(currentScope()?.trace),
        "x-amz-content-sha256": upload?.digest ?? EMPTY_DIGEST,
      },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
    });
    const { url, headers: signed } = await signer.sign();
    return new Promise<IncomingMessage>((resolve, reject) => {
      const make = url.protocol === "https:" ? httpsRequest : httpRequest;
      const sent = make(url, { method, headers: Object.fromEntries(signed), timeout: IDLE_MS }, resolve);
      sent.on("timeout", () => sent.destroy(new Error("the file store does not answer")));
      sent.on("error", reject);
      if (upload) pipeline(createReadStream(upload.path), sent).catch(reject);
      else sent.end();
    });
  };

  async function call(
    method: string,
    key: string,
    headers: Record<string, string> = {},
    upload?: Upload,
  ): Promise<IncomingMessage | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      let failure: Error;
      try {
        const answer = await send(method, key, headers, upload);
        const status = answer.statusCode ?? 0;
        if (status === 404) {
          answer.resume();
          return undefined;
        }
        if (status >= 200 && status < 300) return answer;
        // The reason is theirs and may be long; it goes into our log, never to a caller.
        failure = new Error(`the file store answered ${status}: ${(await text(answer)).slice(0, 500)}`);
        if (status < 500 && status !== 429) throw new Refused(failure.message);
      } catch (error) {
        if (error instanceof Refused) throw error;
        failure = error instanceof Error ? error : new Error(String(error));
      }
      if (attempt === ATTEMPTS) throw failure;
      await wait(firstWaitMs * 2 ** (attempt - 1));
    }
  }

  return {
    put: async (key, path, size) => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      const headers = { "content-length": String(size), "content-type": "application/octet-stream" };
      const answer = await call("PUT", key, headers, { path, size, digest: hash.digest("hex") });
      if (!answer) throw new Error("the file store has no such bucket");
      answer.resume();
    },
    get: (key, range) => call("GET", key, range ? { range: `bytes=${range.start}-${range.end}` } : {}),
    stat: async (key) => {
      const answer = await call("HEAD", key);
      answer?.resume();
      return answer ? Number(answer.headers["content-length"]) : undefined;
    },
    remove: async (key) => {
      (await call("DELETE", key))?.resume();
    },
  };
}

/** Their no: asking again would not help. */
class Refused extends Error {}
