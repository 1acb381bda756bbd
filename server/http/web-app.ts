// Serves the built web app: hashed assets for ever, its page and its few other files after asking again.
// Never leaves its folder, never lists one. Where nothing was built, a page says how to build it.
import { stat } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Failure } from "../../contract/failures.ts";
import { exchangeOf } from "./exchange.ts";

export interface WebApp {
  /** The name of a file at the top of the build, such as favicon.svg. */
  findFile(segments: readonly string[]): Promise<string | undefined>;
  sendFile(reply: FastifyReply, name: string): FastifyReply;
  sendPage(reply: FastifyReply): Promise<FastifyReply>;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dossier</title>
<h1>The service is running; its web app has not been built</h1>
<p>Run <code>npm run build</code> in the folder of the service, then load this page again.</p>
</html>
`;

export async function serveWebApp(app: FastifyInstance, root: string): Promise<WebApp> {
  // The build has put compressed files beside the others.
  const options = { serve: false, root, index: false, dotfiles: "ignore", suppressWarning: true } as const;
  await app.register(fastifyStatic, { ...options, preCompressed: true });
  const isFile = (name: string) =>
    stat(path.join(root, name)).then(
      (found) => found.isFile(),
      () => false,
    );

  app.get<{ Params: { "*": string } }>("/assets/*", async (request, reply) => {
    exchangeOf(request).operation = "web";
    // Names of built assets are plain; anything else cannot be one.
    const name = request.params["*"];
    if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name)) throw new Failure("unknown_address");
    if (!(await isFile(`assets/${name}`))) throw new Failure("unknown_address");
    return reply.sendFile(`assets/${name}`, { immutable: true, maxAge: "365d" });
  });

  const sendFile = (reply: FastifyReply, name: string) =>
    reply.header("cache-control", "no-cache").sendFile(name, { cacheControl: false });

  return {
    async findFile(segments) {
      const [name = ""] = segments;
      const isPlain = segments.length === 1 && /^[\w-]+(?:\.[\w-]+)*\.[a-z0-9]+$/.test(name) && name !== "index.html";
      return isPlain && (await isFile(name)) ? name : undefined;
    },
    sendFile,
    async sendPage(reply) {
      if (await isFile("index.html")) return sendFile(reply, "index.html");
      return reply.header("cache-control", "no-store").type("text/html; charset=utf-8").send(NOT_BUILT);
    },
  };
}
