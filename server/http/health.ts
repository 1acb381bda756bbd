// Tells whether the process is alive and whether it can serve, for those who start, watch and restart it.
import type { FastifyInstance } from "fastify";
import { Failure } from "../../contract/failures.ts";
import type { AppDependencies } from "./dependencies.ts";
import { exchangeOf } from "./exchange.ts";

type Known = Pick<AppDependencies, "ready" | "isDraining">;

export function serveHealth(app: FastifyInstance, { ready, isDraining }: Known): void {
  app.get("/healthz", async (request, reply) => {
    exchangeOf(request).operation = "health";
    return reply.header("cache-control", "no-store").send({ errors: [], message: [], status: "alive" });
  });

  app.get("/readyz", async (request, reply) => {
    exchangeOf(request).operation = "health";
    if (isDraining() || !(await ready().catch(unready))) throw new Failure("not_ready");
    return reply.header("cache-control", "no-store").send({ errors: [], message: [], status: "ready" });
  });
}

/** A database that does not answer is told with its reason. */
const unready = (cause: unknown): never => {
  throw new Failure("not_ready", { cause });
};
