// A reverse proxy before several processes, as Kubernetes, Caddy and HAProxy are: it asks each again and again whether it is
// ready, sends requests only to those that are, keeps connections, and passes over who cannot be reached.
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Proxy {
  readonly url: string;
  /** What went wrong, for who wonders about a failed request. */
  complaints(): string;
}

const LOOK_EVERY_MS = 50;

/** Ends with the test. */
export async function startProxy(ports: readonly number[]): Promise<Proxy> {
  const host = "127.0.0.1";
  const agent = new Agent({ keepAlive: true });
  const complaints: string[] = [];
  const ready = new Set(ports);
  const look = (port: number): void => {
    const asked = request({ port, host, path: "/readyz", agent: false });
    asked.on("response", (answer) => {
      answer.resume();
      if (answer.statusCode === 200) ready.add(port);
      else ready.delete(port);
    });
    asked.on("error", () => ready.delete(port));
    // One question at a time: on a busy machine an answer takes as long as it takes.
    asked.on("close", () => void setTimeout(() => isOver || look(port), LOOK_EVERY_MS));
    asked.end();
  };
  let isOver = false;
  ports.forEach(look);
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    turn += 1;
    const first = turn;
    const { connection: _own, ...headers } = incoming.headers;
    // Where nobody is ready, anybody is asked: as a proxy does, rather than to fail without trying.
    const among = ready.size > 0 ? ports.filter((port) => ready.has(port)) : ports;
    const pass = (attempt: number): void => {
      const port = among[(first + attempt) % among.length] ?? 0;
      const sent = request({ port, host, path: incoming.url, method: incoming.method, headers, agent });
      sent.on("response", (answer) => {
        const { connection: _theirs, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept);
        answer.pipe(outgoing);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        complaints.push(`${incoming.method} ${incoming.url} by ${port}: ${error.message}`);
        const unsent = error.code === "ECONNREFUSED" || incoming.method === "GET";
        if (unsent && attempt + 1 < among.length) pass(attempt + 1);
        else outgoing.writeHead(502, { "content-type": "application/json" }).end("{}");
      });
      sent.end(body);
    };
    pass(0);
  });
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  onTestFinished(() => {
    isOver = true;
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, complaints: () => complaints.join("\n") };
}
