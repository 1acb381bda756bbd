// AWS Signature Version 4 for requests to an S3-compatible service. Pure: takes the request and the time, gives the
// headers that prove who sends it.
import { createHash, createHmac } from "node:crypto";

export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hexadecimal. */
  readonly bodyDigest: string;
}

export const EMPTY_DIGEST = createHash("sha256").digest("hex");

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** RFC 3986; encodeURIComponent leaves five marks that S3 wants encoded. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

export function signRequest(request: UnsignedRequest, credentials: S3Credentials, now: Date): Record<string, string> {
  const { method, url, bodyDigest } = request;
  const stamp = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    "x-amz-content-sha256": bodyDigest,
    "x-amz-date": stamp,
  };
  const names = Object.keys(headers).sort();
  const path = url.pathname
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const canonical = [
    method,
    path,
    query,
    ...names.map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    bodyDigest,
  ].join("\n");
  const scope = `${stamp.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", stamp, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = [stamp.slice(0, 8), credentials.region, "s3", "aws4_request"].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const signature = hmac(key, toSign).toString("hex");
  const { host: _host, ...sent } = headers;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}
