// A real endpoint that webhooks are sent to: it keeps what came, and answers as it is told to, well or in every bad way.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever was sent; tests say what they expect of it.
  readonly body: any;
}

export type Answering = (response: ServerResponse, received: Received) => void;

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  /** Everything that came so far, by path. */
  at(path: string): readonly Received[];
  /** From now on, under this path. */
  answer(path: string, how: Answering): void;
  close(): Promise<void>;
}

export const well: Answering = (response) => void response.writeHead(204).end();
export const withStatus =
  (status: number, headers: Record<string, string> = {}, text = ""): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(text);

export async function startEndpoint(): Promise<Endpoint> {
  const received: Received[] = [];
  const ways = new Map<string, Answering>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    const path = request.url ?? "/";
    const one: Received = { path, headers: request.headers, text, body: JSON.parse(text) };
    received.push(one);
    (ways.get(path) ?? well)(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, how) => void ways.set(path, how),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
