// A process: the least that a program can be that reads the same rows. Fastify, a pool of connections, the statements that
// the service was seen to send for one record, their rows as JSON. Takes its settings as JSON in the first argument.
import fastify from "fastify";
import pg from "pg";
import { z } from "zod";

const settings = z
  .object({
    connection: z.record(z.string(), z.unknown()),
    connections: z.number(),
    statements: z.array(
      z.object({
        text: z.string(),
        /** Where the record's id goes stands `marker`. */
        values: z.array(z.string().nullable()),
      }),
    ),
    marker: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? "{}"));

const pool = new pg.Pool({ ...settings.connection, max: settings.connections });
const app = fastify();
app.get("/view", async (request) => {
  const { id } = request.query as { id: string };
  const answers: unknown[] = [];
  const client = await pool.connect();
  try {
    for (const [index, { text, values }] of settings.statements.entries()) {
      const given = values.map((value) => value?.replaceAll(settings.marker, id) ?? null);
      answers.push((await client.query({ name: `s${index}`, text, values: given })).rows);
    }
  } finally {
    client.release();
  }
  return { data: answers };
});
await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
