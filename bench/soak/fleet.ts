// Three service processes on one database, as they stand behind a reverse proxy: a request goes to one that is ready, in turn.
// Each can be killed, ended in order, and started again at its port.
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { root } from "../../server/lib/root.ts";
import { residentMemory } from "../serve/process-figures.ts";
import { spawnService } from "../serve/serve.ts";

export interface Told {
  /** Undefined where the connection ended without an answer. */
  readonly status: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Fleet {
  ask(address: string, sent: { readonly token: string; readonly body?: unknown }): Promise<Told>;
  kill(member: number): Promise<void>;
  end(member: number): Promise<void>;
  start(member: number): Promise<void>;
  readonly size: number;
  /** Processes that ended without being asked to, and were started again. */
  readonly fallen: readonly string[];
  /** MiB; undefined while it is down. */
  memory(member: number): number | undefined;
  stop(): Promise<void>;
}

interface Member {
  readonly port: number;
  running: Awaited<ReturnType<typeof spawnService>> | undefined;
  isReady: boolean;
}

const LOOK_EVERY_MS = 100;
const HOST = "127.0.0.1";

/** `logFile`: what the processes say goes there. */
export async function startFleet(
  size: number,
  firstPort: number,
  environment: Record<string, string>,
  logFile: string,
): Promise<Fleet> {
  const agent = new Agent({ keepAlive: true });
  const members = Array.from(
    { length: size },
    (_, at): Member => ({ port: firstPort + at, running: undefined, isReady: false }),
  );
  const of = (at: number): Member => members[at] ?? (members[0] as Member); // size is above 0
  const look = (member: Member): void => {
    const asked = request({ port: member.port, host: HOST, path: "/readyz", agent: false, timeout: 2_000 });
    asked.on("response", (answer) => {
      answer.resume();
      member.isReady = answer.statusCode === 200;
    });
    asked.on("error", () => (member.isReady = false)).on("timeout", () => asked.destroy());
    asked.end();
  };
  const fallen: string[] = [];
  const start = async (at: number): Promise<void> => {
    const member = of(at);
    const running = await spawnService(root, { ...environment, PORT: String(member.port) });
    member.running = running;
    running.child.stdout?.on("data", (chunk) => appendFileSync(logFile, chunk));
    running.child.once("exit", (code, signal) => {
      if (member.running !== running) return;
      member.running = undefined;
      member.isReady = false;
      fallen.push(`a process ended by itself with ${code ?? signal}`);
      start(at).catch((error: unknown) => fallen.push(`and was not started again: ${error}`));
    });
    member.isReady = true;
  };
  await start(0);
  for (let at = 1; at < size; at += 1) await start(at);
  const looking = setInterval(() => members.forEach(look), LOOK_EVERY_MS);

  let turn = 0;
  const send = (port: number, address: string, sent: { readonly token: string; readonly body?: unknown }) =>
    new Promise<Told & { readonly refused?: true }>((resolve) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${sent.token}` };
      const method = sent.body === undefined ? "GET" : "POST";
      const asked = request({ port, host: HOST, path: address, method, headers, agent });
      const fail = (error: NodeJS.ErrnoException) =>
        resolve({ status: undefined, body: {}, ...(error.code === "ECONNREFUSED" ? { refused: true as const } : {}) });
      asked.on("error", fail);
      asked.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("aborted", () => resolve({ status: undefined, body: {} }));
        response.on("end", () => {
          const isJson = response.headers["content-type"]?.includes("json");
          try {
            resolve({ status: response.statusCode, body: isJson ? JSON.parse(Buffer.concat(chunks).toString()) : {} });
          } catch {
            resolve({ status: undefined, body: {} });
          }
        });
      });
      asked.end(sent.body === undefined ? undefined : JSON.stringify(sent.body));
    });

  const stopMember = async (at: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const { running } = of(at);
    if (!running) return;
    of(at).running = undefined;
    const ended = once(running.child, "exit");
    running.child.kill(signal);
    await ended;
  };

  return {
    size,
    fallen,
    start,
    kill: (at) => stopMember(at, "SIGKILL"),
    end: (at) => stopMember(at, "SIGTERM"),
    memory: (at) => {
      const pid = of(at).running?.child.pid;
      return pid === undefined ? undefined : residentMemory(pid);
    },
    ask: async (address, sent) => {
      const ready = members.filter(({ isReady }) => isReady);
      const among = ready.length > 0 ? ready : members;
      turn += 1;
      const first = turn;
      // What nobody took was not sent: as a proxy does, the next is asked.
      for (let attempt = 0; attempt < among.length; attempt += 1) {
        const told = await send(among[(first + attempt) % among.length]?.port ?? 0, address, sent);
        if (told.refused !== true) return told;
      }
      return { status: undefined, body: {} };
    },
    stop: async () => {
      clearInterval(looking);
      await Promise.all(members.map((_, at) => stopMember(at, "SIGTERM")));
      agent.destroy();
    },
  };
}
