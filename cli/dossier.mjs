#!/usr/bin/env node
// The commands of the product: start | dev | build | test | bench. Each does all its set-up by itself.
import { spawn } from "node:child_process";
import { bin, prepare, root } from "./prepare.mjs";

const [command = "start", ...rest] = process.argv.slice(2);

/**
 * Runs a program in the foreground and ends as it ended.
 * @param {string} program
 * @param {string[]} args
 */
async function run(program, ...args) {
  const code = await new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit" });
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (status, signal) => resolve(status ?? (signal ? 1 : 0)));
  });
  if (code !== 0) process.exit(Number(code));
}

const commands = {
  async start() {
    await prepare({ server: true, web: true });
    process.setSourceMapsEnabled(true);
    // The same process goes on as the service: signals reach it directly.
    await import("../dist/server/main.js");
  },
  async build() {
    await prepare({ server: true, web: true });
  },
  async dev() {
    await prepare();
    await Promise.all([
      run(bin("tsx"), "watch", "--clear-screen=false", "server/main.ts"),
      run(bin("vite"), "--clearScreen", "false"),
    ]);
  },
  async test() {
    await prepare({ server: true, web: true, checks: rest.length === 0 });
    await run(bin("vitest"), "run", ...rest);
  },
  async bench() {
    await prepare({ server: true });
    await run(bin("tsx"), "bench/run.ts", ...rest);
  },
};

if (!Object.hasOwn(commands, command)) {
  console.error(`dossier ${Object.keys(commands).join(" | ")}`);
  process.exit(2);
}
await commands[/** @type {keyof typeof commands} */ (command)]();
