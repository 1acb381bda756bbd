// The bare service as a peer: on the very tables of the measured organization.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "../../server/lib/root.ts";
import { mixed, newLead, type Peer, pageOf, randomValues, sorts } from "./peer.ts";

const orders = sorts.map(({ column, isDescending }) => `sort=${column}&dir=${isDescending ? "desc" : "asc"}`);

export const bare: Peer = {
  name: "bare Fastify + pg",
  start: async ({ served, options }) => {
    const { rows, organizationId } = served.universe;
    const settings = JSON.stringify({
      connection: served.connection,
      connections: options.connections,
      organizationId,
    });
    const child = spawn(
      process.execPath,
      ["--import", "tsx", path.join(root, "bench/peers/bare-records.ts"), settings],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout.once("data", (text) => resolve(Number(text)));
      child.once("exit", (code) => reject(new Error(`the bare service ended with ${code}`)));
    });
    const reads = {
      "pages and sorts, varied": (random) => ({
        path: `/leads?${random.pick(orders)}&page=${pageOf(rows, random)}`,
      }),
      "read one, random": (random) => ({ path: `/leads/${random.integer(1, rows)}` }),
      "edit one": (random) => ({
        path: "/edit",
        body: JSON.stringify({ id: String(random.integer(1, rows)), ...randomValues(random) }),
      }),
    } satisfies Parameters<typeof mixed>[0];
    return {
      port,
      token: "",
      asks: {
        ...reads,
        "add one": (random) => ({ path: "/add", body: JSON.stringify(newLead(random)) }),
        "mixed 90/10, varied": mixed(reads),
      },
      stop: async () => void child.kill(),
    };
  },
};
