// How much the load generator can ask for by itself: the same connections against a process that answers the same number
// of bytes and does nothing else. A figure near this one would be the generator's, not the service's.
import { type ChildProcess, spawn } from "node:child_process";
import type { Round } from "./figures.ts";
import { runLoad } from "./http-load.ts";

const server = `
const http = require("node:http");
const body = Buffer.alloc(Number(process.argv[1]), "x");
const head = { "content-type": "application/json", "content-length": body.length };
http.createServer((request, response) => { response.writeHead(200, head); response.end(body); })
  .listen(0, "127.0.0.1", function () { process.stdout.write(String(this.address().port)); });`;

export async function measureCeiling(bytes: number, connections: number, seconds: number): Promise<Round> {
  const child: ChildProcess = spawn(process.execPath, ["-e", server, String(bytes)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout?.once("data", (text) => resolve(Number(text)));
      child.once("exit", () => reject(new Error("the constant server ended")));
    });
    return await runLoad({ port, token: "", connections, seconds, next: () => ({ path: "/" }) });
  } finally {
    child.kill();
  }
}
