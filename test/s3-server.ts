// A small S3-compatible service that works out every signature again from what arrived on the wire, and keeps objects in memory.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

export const s3Credentials = {
  region: "eu-test-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "very/secret+key",
} as const;

export interface TestBucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly objects: Map<string, Buffer>;
  /** What a service is told to use it. */
  readonly settings: Readonly<Record<string, string>>;
  /** So many requests from now on are refused for the moment. */
  refuse(count: number, how?: number | "hang up"): void;
  /** How many requests came so far. */
  asked(): number;
  close(): void;
}

/** Written from the specification of the receiving side. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const found = /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
    request.headers.authorization ?? "",
  );
  if (!found) return false;
  const [, id, day = "", region = "", signedHeaders = "", signature] = found;
  const digest = createHash("sha256").update(body).digest("hex");
  if (id !== s3Credentials.accessKeyId || request.headers["x-amz-content-sha256"] !== digest) return false;
  const lines = signedHeaders.split(";").map((name) => `${name}:${request.headers[name]}\n`);
  const [address = "", query = ""] = (request.url ?? "").split("?");
  const canonical = `${request.method}\n${address}\n${query}\n${lines.join("")}\n${signedHeaders}\n${digest}`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${request.headers["x-amz-date"]}\n${scope}\n${hash}`;
  let key: Buffer = Buffer.from(`AWS4${s3Credentials.secretAccessKey}`);
  for (const part of [day, region, "s3", "aws4_request", toSign]) key = createHmac("sha256", key).update(part).digest();
  return key.toString("hex") === signature && ["host", "x-amz-date"].every((name) => signedHeaders.includes(name));
}

export async function startBucket(bucket = "papers"): Promise<TestBucket> {
  const objects = new Map<string, Buffer>();
  let refused = 0;
  let refusal: number | "hang up" = 503;
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    const body = await buffer(request);
    const answer = (status: number, content: Buffer | string = "", headers = {}) =>
      response.writeHead(status, headers).end(content);
    if (refused > 0) {
      refused -= 1;
      return refusal === "hang up" ? request.socket.destroy() : answer(refusal, "slow down");
    }
    if (!isSigned(request, body)) return answer(403, "<Code>SignatureDoesNotMatch</Code>");
    const [, named, key = ""] = (request.url ?? "").split("/");
    if (named !== bucket) return answer(404, "<Code>NoSuchBucket</Code>");
    if (request.method === "PUT") {
      objects.set(key, body);
      return answer(200);
    }
    const object = objects.get(key);
    if (request.method === "DELETE") {
      objects.delete(key);
      return answer(204);
    }
    if (!object) return answer(404, "<Code>NoSuchKey</Code>");
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    if (start !== undefined) return answer(206, object.subarray(Number(start), Number(end) + 1));
    return answer(200, request.method === "HEAD" ? "" : object, { "content-length": object.length });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  return {
    endpoint,
    bucket,
    objects,
    settings: {
      FILES_S3_ENDPOINT: endpoint,
      FILES_S3_BUCKET: bucket,
      FILES_S3_REGION: s3Credentials.region,
      FILES_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    },
    refuse: (count, how = 503) => {
      refused = count;
      refusal = how;
    },
    asked: () => asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
