// NocoDB on a table that it finds in a database of its own, by its second data API with a token of its administrator.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installPeer } from "./install.ts";
import { copyLeads, createLeads, newDatabase } from "./lead-table.ts";
import { mixed, newLead, type Peer, pageOf, randomValues, sorts } from "./peer.ts";
import { post, startProcess } from "./peer-process.ts";

const VERSION = "0.301.3";
const PASSWORD = "A-password-of-the-benchmark-1";

const main = `const { Noco } = require("nocodb");
const app = require("express")();
const server = app.listen(Number(process.env.PORT), "127.0.0.1", async () => app.use(await Noco.init({}, server, app)));
`;

interface Listed {
  readonly list: readonly { readonly id: string; readonly table_name: string }[];
}

export const nocodb: Peer = {
  name: `NocoDB ${VERSION}`,
  start: async ({ served, options }) => {
    const installed = await installPeer(options.peers, "nocodb", [`nocodb@${VERSION}`, "express@4"], {
      // It asks for one that is in no registry; nothing is exported here.
      xlsx: "0.18.5",
    });
    if (typeof installed === "string") return installed;
    const { folder, node } = installed;
    writeFileSync(path.join(folder, "main.cjs"), main);
    // Would have to be compiled: what it knows of itself is in PostgreSQL.
    writeFileSync(path.join(folder, "node_modules/sqlite3/lib/sqlite3.js"), "module.exports = {};\n");
    const files = path.join(folder, "files");
    mkdirSync(files, { recursive: true });
    const connection = await newDatabase(served, "peer_nocodb");
    const known = await newDatabase(served, "peer_nocodb_own");
    await createLeads(connection);
    await copyLeads(served, connection);
    const port = options.port + 12;
    const url = `http://127.0.0.1:${port}`;
    const { stop } = await startProcess({
      command: node,
      arguments: ["main.cjs"],
      cwd: folder,
      environment: {
        PORT: String(port),
        NC_DB_JSON: JSON.stringify({ client: "pg", connection: known, pool: { min: 0, max: options.connections } }),
        NC_AUTH_JWT_SECRET: PASSWORD,
        NC_TOOL_DIR: files,
        NC_DISABLE_TELE: "true",
        NC_ALLOW_LOCAL_EXTERNAL_DBS: "true",
        NC_ALLOW_LOCAL_HOOKS: "true",
      },
      ready: `${url}/api/v1/health`,
    });
    try {
      // Each answer is what its documentation says of it.
      const signed = (await post(`${url}/api/v1/auth/user/signup`, {
        email: "admin@example.com",
        password: PASSWORD,
      })) as { token: string };
      const login = { "xc-auth": signed.token };
      const source = {
        type: "pg",
        config: { client: "pg", connection },
        inflection_column: "none",
        inflection_table: "none",
      };
      const base = (await post(
        `${url}/api/v1/db/meta/projects/`,
        { title: "Benchmark", external: true, bases: [source], sources: [source] },
        login,
      )) as { id: string };
      const tables = await fetch(`${url}/api/v2/meta/bases/${base.id}/tables`, { headers: login });
      const { list } = (await tables.json()) as Listed;
      const table = list.find(({ table_name: name }) => name === "leads")?.id;
      if (table === undefined) throw new Error("it did not find the table");
      const { rows } = served.universe;
      const records = `/api/v2/tables/${table}/records`;
      const headers = `xc-auth: ${signed.token}\r\n`;
      const orders = sorts.map(({ column, isDescending }) => `${isDescending ? "-" : ""}${column}`);
      const reads = {
        "pages and sorts, varied": (random) => ({
          path: `${records}?limit=50&offset=${(pageOf(rows, random) - 1) * 50}&sort=${random.pick(orders)}`,
          headers,
        }),
        "read one, random": (random) => ({ path: `${records}/${random.integer(1, rows)}`, headers }),
        "edit one": (random) => ({
          path: records,
          method: "PATCH",
          body: JSON.stringify({ id: random.integer(1, rows), ...randomValues(random) }),
          headers,
        }),
      } satisfies Parameters<typeof mixed>[0];
      return {
        port,
        token: "",
        asks: {
          ...reads,
          "add one": (random) => ({ path: records, body: JSON.stringify(newLead(random)), headers }),
          "mixed 90/10, varied": mixed(reads),
        },
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};
