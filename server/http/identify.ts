// Takes the headers of a request; gives the caller that its bearer token names. Never reads a cookie: a token in one
// proves nothing, because a browser sends it whether or not its user meant to.
import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../contract/failures.ts";
import type { Recognized } from "../access/authenticate.ts";
import type { Caller } from "../access/caller.ts";
import { isAmongNetworks } from "../access/keys/read-key.ts";
import { speaking } from "../access/spoken-language.ts";
import { networkOf } from "../lib/network.ts";
import { askedLanguages, type Exchange, exchangeOf, timed } from "./exchange.ts";
import type { Throttle } from "./throttle.ts";

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}

export interface Identification {
  readonly request: FastifyRequest;
  readonly exchange: Exchange;
  /** Its answer says how much of the user's allowance is left. */
  readonly reply: FastifyReply;
  readonly throttle: Throttle;
  readonly writes: boolean;
  readonly authenticate: (token: string) => Promise<Recognized>;
}

export async function identify(identification: Identification): Promise<Caller> {
  const { request, reply, exchange, throttle, writes, authenticate } = identification;
  const { authorization, cookie } = request.headers;
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw new Failure(
      writes && cookie !== undefined && authorization === undefined ? "cookie_refused" : "login_required",
    );
  }
  try {
    const recognized = await throttle.look(networkOf(request.ip), () =>
      timed(exchange, "authenticate", () => authenticate(token)),
    );
    exchange.caller = speaking(recognized.caller, askedLanguages(request.headers));
    exchange.language = exchange.caller.language;
    exchange.confirmed = recognized.confirmed;
    exchange.confirmed.catch(() => undefined);
    requireNetwork(exchange.caller, request.ip);
    if (!exchange.counted) {
      exchange.counted = true;
      reply.headers(throttle.admit(exchange.caller));
    }
    // Who writes is confirmed first; who reads, while it is read, before the answer goes out.
    if (writes) await confirmCaller(exchange);
  } catch (error) {
    if (error instanceof Failure && error.code === "login_required") {
      exchange.counted = true;
      throttle.badToken(networkOf(request.ip));
    } else if (error instanceof Failure && tellsNobody.has(error.code)) exchange.caller = undefined;
    throw error;
  }
  const { credential } = exchange.caller;
  if (writes && credential.kind === "api-key" && credential.scope === "read") throw new Failure("read_only_key");
  return exchange.caller;
}

/** The answer to these doesn't say whose token it was: the key may be stolen, the session may have ended. */
const tellsNobody: ReadonlySet<string> = new Set(["key_address_refused", "too_many_requests"]);

/** A stolen key costs its user nothing where it can't be used. */
function requireNetwork({ credential }: Caller, address: string): void {
  if (credential.kind !== "api-key" || credential.networks === undefined) return;
  if (!isAmongNetworks(credential.networks, address)) throw new Failure("key_address_refused", { with: { address } });
}

/** Nobody's address pays for a database that is down. */
export const isOwnFault = (error: unknown): boolean => !(error instanceof Failure) || error.status >= 500;

/** What failed before anybody was known by it counts against its address. Throws too_many_requests where that has no more. */
export function countStranger(request: FastifyRequest, reply: FastifyReply, throttle: Throttle): void {
  const exchange = exchangeOf(request);
  if (exchange.counted) return;
  exchange.counted = true;
  reply.headers(throttle.admitStranger(networkOf(request.ip)));
}

/** Throws login_required where the caller's session or key has ended, in whichever process. */
export async function confirmCaller(exchange: Exchange): Promise<void> {
  try {
    await exchange.confirmed;
  } catch (error) {
    exchange.caller = undefined;
    throw error;
  }
}
