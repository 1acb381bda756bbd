// Directus on a table of its own: it keeps a revision and an activity of every write, as we keep history.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installPeer } from "./install.ts";
import { copyLeads, createLeads, newDatabase } from "./lead-table.ts";
import { mixed, newLead, type Peer, pageOf, randomValues, sorts } from "./peer.ts";
import { startProcess } from "./peer-process.ts";

const VERSION = "11.3.5";
const TOKEN = "a-token-of-the-benchmark-alone";

export const directus: Peer = {
  name: `Directus ${VERSION}`,
  start: async ({ served, options }) => {
    const installed = await installPeer(options.peers, "directus", [`directus@${VERSION}`]);
    if (typeof installed === "string") return installed;
    const { folder, node } = installed;
    // Runs the scripts of flows, and would have to be compiled: nothing here has a flow.
    const scripts = path.join(folder, "node_modules/isolated-vm/out");
    mkdirSync(scripts, { recursive: true });
    writeFileSync(path.join(scripts, "isolated_vm.js"), "exports.ivm = {};\n");
    const connection = await newDatabase(served, "peer_directus");
    await createLeads(connection);
    await copyLeads(served, connection);
    const port = options.port + 10;
    const environment = {
      DB_CLIENT: "pg",
      DB_HOST: String(connection.host),
      DB_PORT: String(connection.port),
      DB_DATABASE: String(connection.database),
      DB_USER: String(connection.user),
      DB_PASSWORD: String(connection.password),
      DB_POOL__MAX: String(options.connections),
      SECRET: TOKEN.repeat(2),
      ADMIN_EMAIL: "admin@example.com",
      ADMIN_PASSWORD: TOKEN,
      ADMIN_TOKEN: TOKEN,
      HOST: "127.0.0.1",
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: "error",
      TELEMETRY: "false",
    };
    const cli = path.join(folder, "node_modules/directus/cli.js");
    const process = {
      command: "/bin/sh",
      // The tables of its own first.
      arguments: ["-c", '"$0" "$1" bootstrap && exec "$0" "$1" start', node, cli],
      cwd: folder,
      environment,
      ready: `http://127.0.0.1:${port}/server/ping`,
    };
    const { stop } = await startProcess(process);
    const { rows } = served.universe;
    const orders = sorts.map(({ column, isDescending }) => `${isDescending ? "-" : ""}${column}`);
    const reads = {
      "pages and sorts, varied": (random) => ({
        path: `/items/leads?limit=50&page=${pageOf(rows, random)}&sort=${random.pick(orders)}`,
      }),
      "read one, random": (random) => ({ path: `/items/leads/${random.integer(1, rows)}` }),
      "edit one": (random) => ({
        path: `/items/leads/${random.integer(1, rows)}`,
        method: "PATCH",
        body: JSON.stringify(randomValues(random)),
      }),
    } satisfies Parameters<typeof mixed>[0];
    return {
      port,
      token: TOKEN,
      asks: {
        ...reads,
        "add one": (random) => ({ path: "/items/leads", body: JSON.stringify(newLead(random)) }),
        "mixed 90/10, varied": mixed(reads),
      },
      stop,
    };
  },
};
