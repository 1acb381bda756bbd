#!/usr/bin/env node
// The commands of the product. Each does all its set-up by itself.
import { spawn } from "node:child_process";
import { bin, isPackage, prepare, root } from "./prepare.mjs";

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

/** A command beside the service, which reads its own words. */
async function beside() {
  await prepare({ server: true });
  process.setSourceMapsEnabled(true);
  await import("../dist/server/commands.js");
}

const commands = {
  async start() {
    await prepare({ server: true, web: true });
    // The same process goes on as the service: signals reach it directly. Without the engine's source maps, which it would keep
    // in memory from the first socket that ends with an error on: stacks are told by their sources when they are logged.
    await import("../dist/server/main.js");
  },
  backup: beside,
  restore: beside,
  upgrade: beside,
  doctor: beside,
  design: beside,
  distribute: beside,
  user: beside,
  types: beside,
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

const help = `dossier start             start the service (the default)
dossier backup FILE       write a backup of the database and the files; --check reads one
dossier restore FILE      restore a backup into an empty database; --replace replaces what is there
dossier upgrade           bring the database up to this version, as a start does; --check tries it with a copy
dossier doctor            check settings, disk, database, indexes and queues; --quiet reports only problems
dossier user add NAME | reset-password NAME | promote NAME
                          manage users without signing in
dossier design export FILE|FOLDER | apply FILE|FOLDER|STARTER | rollback
                          move the design between installations; apply --dry-run shows the plan
dossier distribute        distribute the database over the workers of a Citus coordinator; --plan shows how,
                          --move ORGANIZATION moves one organization to another worker
dossier types             write TypeScript types of the record types; --url URL of another service, --out FILE
dossier build             build the service and the web app
dossier dev | test | bench  for working on Dossier: see CONTRIBUTING.md
dossier help              show this text`;

if (["help", "--help", "-h"].includes(command)) {
  console.log(help);
} else if (isPackage && ["build", "dev", "test", "bench"].includes(command)) {
  console.error(`dossier ${command} works in a clone of the repository only; this is an installed package.`);
  process.exit(2);
} else if (Object.hasOwn(commands, command)) {
  await commands[/** @type {keyof typeof commands} */ (command)]();
} else {
  console.error(`Unknown command: ${command}\n${help}`);
  process.exit(2);
}
