// Strapi with one content type, by the REST routes that it makes of it, with a token that may do everything.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installPeer } from "./install.ts";
import { copyLeads, leadFields, newDatabase } from "./lead-table.ts";
import { mixed, newLead, type Peer, pageOf, randomValues, sorts } from "./peer.ts";
import { startProcess } from "./peer-process.ts";

const VERSION = "5.54.0";
const packages = [
  `@strapi/strapi@${VERSION}`,
  "pg@8",
  "react@18",
  "react-dom@18",
  "react-router-dom@6",
  "styled-components@6",
];
const SECRET = "a-secret-of-the-benchmark-alone";

const documentId = (id: number | string): string => `lead${String(id).padStart(20, "0")}`;

/** The least that is a project of Strapi. */
function writeProject(folder: string, tokenFile: string): void {
  const typed = (names: readonly string[], type: string) => names.map((name) => [name, { type }] as const);
  const attributes = Object.fromEntries([
    ...typed(leadFields.texts, "text"),
    ...typed(leadFields.numbers, "integer"),
    // Its decimals end at a hundred million.
    ...typed(leadFields.amounts, "float"),
    ...typed(leadFields.times, "datetime"),
  ]);
  const schema = {
    kind: "collectionType",
    collectionName: "leads",
    info: { singularName: "lead", pluralName: "leads", displayName: "Lead" },
    options: { draftAndPublish: false },
    attributes,
  };
  const made = (what: string) =>
    `const { factories } = require("@strapi/strapi");\nmodule.exports = factories.createCore${what}("api::lead.lead");\n`;
  const files: Readonly<Record<string, string>> = {
    "main.js": `require("@strapi/strapi").createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false }).start();\n`,
    "config/server.js": `module.exports = { host: "127.0.0.1", port: Number(process.env.PORT), app: { keys: ["${SECRET}"] } };\n`,
    "config/admin.js": `module.exports = { auth: { secret: "${SECRET}" }, apiToken: { salt: "${SECRET}" }, transfer: { token: { salt: "${SECRET}" } }, serveAdminPanel: false };\n`,
    "config/api.js": "module.exports = { rest: { maxLimit: 100 } };\n",
    "config/logger.js": `module.exports = { level: "error" };\n`,
    "config/middlewares.js": `module.exports = ["strapi::errors", "strapi::security", "strapi::cors", "strapi::query", "strapi::body", "strapi::favicon", "strapi::public"];\n`,
    "config/database.js": `module.exports = { connection: { client: "postgres", connection: JSON.parse(process.env.CONNECTION), pool: { min: 0, max: Number(process.env.CONNECTIONS) } } };\n`,
    "src/index.js": `const fs = require("node:fs");
module.exports = {
  bootstrap: async ({ strapi }) => {
    const token = { name: "benchmark", type: "full-access", description: "", lifespan: null };
    const { accessKey } = await strapi.service("admin::api-token").create(token);
    fs.writeFileSync(${JSON.stringify(tokenFile)}, accessKey);
  },
};\n`,
    "src/api/lead/content-types/lead/schema.json": JSON.stringify(schema),
    "src/api/lead/controllers/lead.js": made("Controller"),
    "src/api/lead/services/lead.js": made("Service"),
    "src/api/lead/routes/lead.js": made("Router"),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  for (const name of ["public/uploads", "database/migrations"]) mkdirSync(path.join(folder, name), { recursive: true });
}

export const strapi: Peer = {
  name: `Strapi ${VERSION}`,
  start: async ({ served, options }) => {
    const installed = await installPeer(options.peers, "strapi", packages);
    if (typeof installed === "string") return installed;
    const { folder, node } = installed;
    const tokenFile = path.join(folder, "token");
    rmSync(tokenFile, { force: true });
    writeProject(folder, tokenFile);
    const connection = await newDatabase(served, "peer_strapi");
    const port = options.port + 11;
    const { stop } = await startProcess({
      command: node,
      arguments: ["main.js"],
      cwd: folder,
      environment: {
        PORT: String(port),
        CONNECTION: JSON.stringify(connection),
        CONNECTIONS: String(options.connections),
        JWT_SECRET: SECRET,
        STRAPI_TELEMETRY_DISABLED: "true",
      },
      ready: `http://127.0.0.1:${port}/_health`,
    });
    // Its tables are there once it runs.
    const now = new Date().toISOString();
    await copyLeads(served, connection, { document_id: documentId, created_at: () => now, published_at: () => now });
    const { rows } = served.universe;
    const orders = sorts.map(({ column, isDescending }) => `${column}:${isDescending ? "desc" : "asc"}`);
    const page = "pagination[pageSize]=50&pagination[withCount]=false&pagination[page]";
    const one = (random: Parameters<typeof randomValues>[0]) => `/api/leads/${documentId(random.integer(1, rows))}`;
    const reads = {
      "pages and sorts, varied": (random) => ({
        path: `/api/leads?${page}=${pageOf(rows, random)}&sort=${random.pick(orders)}`,
      }),
      "read one, random": (random) => ({ path: one(random) }),
      "edit one": (random) => ({
        path: one(random),
        method: "PUT",
        body: JSON.stringify({ data: randomValues(random) }),
      }),
    } satisfies Parameters<typeof mixed>[0];
    return {
      port,
      token: readFileSync(tokenFile, "utf8"),
      asks: {
        ...reads,
        "add one": (random) => ({ path: "/api/leads", body: JSON.stringify({ data: newLead(random) }) }),
        "mixed 90/10, varied": mixed(reads),
      },
      stop,
    };
  },
};
