// Sends a request as a program would, over connections that stay open; gives status, headers and text. What a browser's `fetch`
// does beyond that (streams, compression, redirects) costs as much as the service's own work, and no scenario needs it.
import { Agent, request } from "node:http";

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface WireRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData | URLSearchParams;
}

const agent = new Agent({ keepAlive: true });

export async function send(url: string, { method = "GET", headers = {}, body }: WireRequest = {}): Promise<WireAnswer> {
  const { bytes, type } = await written(body);
  return new Promise((resolve, reject) => {
    const length = bytes ? { "content-length": String(bytes.length) } : {};
    const sent = request(url, { agent, method, headers: { ...type, ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const received = new Headers();
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) received.append(name, value);
        resolve({ status: response.statusCode ?? 0, headers: received, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

async function written(body: WireRequest["body"]): Promise<{ bytes?: Buffer; type?: Record<string, string> }> {
  if (body === undefined) return {};
  if (typeof body === "string") return { bytes: Buffer.from(body) };
  const whole = new Response(body);
  return {
    bytes: Buffer.from(await whole.arrayBuffer()),
    type: { "content-type": whole.headers.get("content-type") ?? "" },
  };
}
