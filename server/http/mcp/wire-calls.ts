// Takes the app and a request of an assistant; gives a way to call the app's own operations with the same key, so that rights, limits
// and failures are those of the wire. Never reads anything by itself.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { parseExactly } from "./exact-json.ts";

const bodySchema = z.looseObject({ errors: z.array(z.string()).default([]) });
export type WireBody = z.output<typeof bodySchema>;

/** What a call was refused with, in the words of the wire. */
export class Refused extends Error {
  readonly status: number;
  readonly body: WireBody;

  constructor(status: number, body: WireBody) {
    super(body.errors.join(" "));
    this.status = status;
    this.body = body;
  }
}

export interface Wire {
  /** Both throw Refused for whatever is not done. */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<WireBody>;
  post(path: string, sent: Readonly<Record<string, unknown>>): Promise<WireBody>;
}

/** Headers of the request that mean the same to the calls made for it. */
const PASSED_ON = ["authorization", "accept-language", "x-language", "user-agent"] as const;

export function openWire(app: FastifyInstance, request: FastifyRequest): Wire {
  const headers: Record<string, string> = { accept: "application/json", "x-request-id": request.id };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const call = async (method: "GET" | "POST", url: string, sent?: Readonly<Record<string, unknown>>) => {
    const answer = await app.inject({
      method,
      url,
      headers,
      remoteAddress: request.ip,
      ...(sent === undefined ? {} : { payload: { ...sent } }),
    });
    const body = bodySchema.parse(parseExactly(answer.payload));
    if (answer.statusCode >= 400) throw new Refused(answer.statusCode, body);
    return body;
  };
  return {
    get: (path, query = {}) => call("GET", `${path}?${new URLSearchParams(query)}`),
    post: (path, sent) => call("POST", path, sent),
  };
}
