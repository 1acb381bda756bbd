// A reverse proxy before several processes: nginx where there is one, as docs/deploying.md sets it up, else a small one in Node
// that does the same: connections are kept, and who cannot be reached is passed over.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";

const nginx = ["nginx", "/usr/sbin/nginx"].find((program) => spawnSync(program, ["-v"]).status === 0);

export interface Proxy {
  readonly url: string;
  /** What it logged, for who wonders about a failed request. */
  complaints(): string;
}

/** Ends with the test. */
export const startProxy = (ports: readonly number[]): Promise<Proxy> =>
  nginx === undefined ? startOwn(ports) : startNginx(nginx, ports);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const listener = createListener().listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as AddressInfo;
      listener.close(() => resolve(port));
    });
  });

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("close", () => socket.destroy());
    socket.unref();
  });

async function startNginx(program: string, ports: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-proxy-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
    pid ${folder}/pid; worker_processes 1; daemon off; error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n      ")}
      upstream dossier {
        ${ports.map((to) => `server 127.0.0.1:${to} max_fails=0;`).join("\n        ")}
        keepalive 2;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://dossier;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }
      }
    }`,
  );
  const child = spawn(program, ["-p", folder, "-c", path.join(folder, "nginx.conf"), "-e", `${folder}/error.log`], {
    stdio: "inherit",
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => isListening(port), { interval: 20 }).toBe(true);
  return { url: `http://127.0.0.1:${port}`, complaints: () => readFileSync(`${folder}/error.log`, "utf8") };
}

async function startOwn(ports: readonly number[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const complaints: string[] = [];
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    turn += 1;
    const { connection: _own, ...headers } = incoming.headers;
    const pass = (attempt: number): void => {
      const port = ports[(turn + attempt) % ports.length] ?? 0;
      const sent = request({ port, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers, agent });
      sent.on("response", (answer) => {
        const { connection: _theirs, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept);
        answer.pipe(outgoing);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        complaints.push(`${incoming.method} ${incoming.url} by ${port}: ${error.message}`);
        const unsent = error.code === "ECONNREFUSED" || incoming.method === "GET";
        if (unsent && attempt + 1 < ports.length) pass(attempt + 1);
        else outgoing.writeHead(502, { "content-type": "application/json" }).end("{}");
      });
      sent.end(body);
    };
    pass(0);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, complaints: () => complaints.join("\n") };
}
