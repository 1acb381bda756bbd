// Takes the headers of a request; gives the caller that its bearer token names. Never reads a cookie: a token in one
// proves nothing, because a browser sends it whether or not its user meant to.
import type { FastifyRequest } from "fastify";
import { Failure } from "../../contract/failures.ts";
import type { Recognized } from "../access/authenticate.ts";
import type { Caller } from "../access/caller.ts";
import { isAmongNetworks } from "../access/keys/read-key.ts";
import { speaking } from "../access/spoken-language.ts";
import { networkOf } from "../lib/network.ts";
import { askedLanguages, type Exchange, timed } from "./exchange.ts";
import type { Throttle } from "./throttle.ts";

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}

export interface Identification {
  readonly request: FastifyRequest;
  readonly exchange: Exchange;
  readonly throttle: Throttle;
  readonly writes: boolean;
  readonly authenticate: (token: string) => Promise<Recognized>;
}

export async function identify(identification: Identification): Promise<Caller> {
  const { request, exchange, throttle, writes, authenticate } = identification;
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
    // Who writes is confirmed first; who reads, while it is read, before the answer goes out.
    if (writes) await confirmCaller(exchange);
    else exchange.confirmed.catch(() => undefined);
  } catch (error) {
    if (error instanceof Failure && error.code === "login_required") throttle.badToken(networkOf(request.ip));
    throw error;
  }
  const { credential } = exchange.caller;
  if (credential.kind === "api-key") {
    const { networks, scope } = credential;
    if (networks !== undefined && !isAmongNetworks(networks, request.ip)) {
      exchange.caller = undefined;
      throw new Failure("key_address_refused", { with: { address: request.ip } });
    }
    if (writes && scope === "read") throw new Failure("read_only_key");
  }
  return exchange.caller;
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
