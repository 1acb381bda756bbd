// Takes requests from a generator; sends them over keep-alive connections, each as soon as the one before is answered, and
// measures. Once the time is up nothing more is sent; what is under way is waited for, and its time counts.
import net from "node:net";
import { latencies, type Round } from "./figures.ts";
import { type Answer, createResponseReader } from "./response-reader.ts";

export interface Asked {
  readonly path: string;
  /** JSON: the request is then a POST, or what `method` says. */
  readonly body?: string;
  readonly method?: "POST" | "PATCH" | "PUT";
  /** Whole lines. */
  readonly headers?: string;
}

export interface Load {
  readonly port: number;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  readonly next: () => Asked;
}

export function encode({ path, body, method = "POST", headers = "" }: Asked, token: string): Buffer {
  const own = token === "" ? headers : `Authorization: Bearer ${token}\r\n${headers}`;
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${own}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${own}Content-Type: application/json\r\n`;
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** One keep-alive connection; `ask` gives the answer, or fails with the connection. */
export interface Line {
  ask(request: Buffer): Promise<Answer>;
  /** False once the service has closed it, as it does with those that nobody uses for a while. */
  isOpen(): boolean;
  close(): void;
}

export function openLine(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
    const read = createResponseReader((answer) => {
      const one = waiting;
      waiting = undefined;
      one?.resolve(answer);
    });
    const fail = (error: Error): void => {
      reject(error);
      const one = waiting;
      waiting = undefined;
      one?.reject(error);
    };
    socket.on("connect", () =>
      resolve({
        ask: (request) =>
          new Promise((resolveOne, rejectOne) => {
            if (socket.destroyed) return rejectOne(new Error("the connection is closed"));
            waiting = { resolve: resolveOne, reject: rejectOne };
            socket.write(request);
          }),
        isOpen: () => !socket.destroyed,
        close: () => socket.destroy(),
      }),
    );
    socket.on("data", read);
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the connection was closed")));
  });
}

export async function runLoad({ port, token, connections, seconds, next }: Load): Promise<Round> {
  const took: number[] = [];
  let errors = 0;
  let error: string | undefined;
  let bytes = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const fail = (text: string): void => {
    errors += 1;
    error ??= text;
  };
  const worker = async (): Promise<void> => {
    let line = await openLine(port);
    while (performance.now() < until) {
      const request = encode(next(), token);
      const start = performance.now();
      try {
        const answer = await line.ask(request);
        if (answer.status >= 400) fail(`${answer.status} ${answer.text}`);
        else {
          took.push(performance.now() - start);
          bytes += answer.bytes;
        }
      } catch (problem) {
        fail(String(problem));
        line = await openLine(port);
      }
    }
    line.close();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - began) / 1000;
  return {
    perSecond: took.length / elapsed,
    count: took.length,
    ...latencies(took),
    errors,
    ...(error === undefined ? {} : { error }),
    ...(took.length > 0 ? { bytes: Math.round(bytes / took.length) } : {}),
  };
}
