// Posts a body to an address, once: no redirect is followed, no connection is used again, the answer is read as far as it is kept.
// Which addresses are allowed is asked of the very address that is connected to, so a name that resolves to another one the second
// time gains nothing.
import { lookup as lookUpHost } from "node:dns";
import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Message, say } from "../../contract/messages.ts";
import type { AddressRule } from "../lib/public-address.ts";

export interface Posted {
  readonly milliseconds: number;
  /** Undefined: there was no answer. */
  readonly status?: number;
  /** The beginning of the answer. */
  readonly answer?: string;
  /** Undefined: it was taken. */
  readonly problem?: Message;
  /** When the endpoint wants to be asked again. */
  readonly retrySeconds?: number;
}

const TIMEOUT_MS = 15_000;
const KEPT_BYTES = 1024;
const LONGEST_PAUSE_SECONDS = 3_600;

class Refusal extends Error {
  readonly said: Message;
  constructor(said: Message) {
    super(said.code);
    this.said = said;
  }
}

const allowedPort = (port: string): boolean => port === "" || port === "80" || port === "443" || Number(port) > 1023;

/** What is wrong with an address, as far as that can be told without looking its name up. */
export function addressFault(address: string, rule: AddressRule): Message | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" && (url?.protocol !== "http:" || rule.isStrict)) return say("webhook_needs_https");
  if (!allowedPort(url.port)) return say("webhook_port");
  const host = hostOf(url);
  const isLocal = rule.isStrict && (host === "localhost" || host.endsWith(".localhost"));
  return isLocal || (isIP(host) !== 0 && !isAllowed(rule, host, url)) ? say("webhook_private") : undefined;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, "");

const isAllowed = (rule: AddressRule, address: string, { protocol }: URL): boolean =>
  rule.allows(address, protocol === "https:" ? "https:" : "http:");

/** Every address that a name resolves to must be allowed. */
const guardedLookup =
  (url: URL, rule: AddressRule): LookupFunction =>
  (hostname, options, done) => {
    lookUpHost(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, "");
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isAllowed(rule, address, url))) {
        const isPlain = url.protocol === "http:" && addresses.every(({ address }) => rule.allows(address, "https:"));
        return done(new Refusal(say(isPlain ? "webhook_needs_https" : "webhook_private")), "");
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

export async function post(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  rule: AddressRule,
  signal?: AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Posted> {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  const fault = addressFault(address, rule);
  if (fault) return { milliseconds: 0, problem: fault };
  try {
    const answer = await send(new URL(address), headers, body, rule, timeoutMs, signal);
    return { milliseconds: took(), ...answer, ...judged(answer.status) };
  } catch (error) {
    return { milliseconds: took(), problem: problemOf(error, timeoutMs) };
  }
}

function judged(status: number): { readonly problem?: Message } {
  if (status >= 200 && status < 300) return {};
  if (status === 410) return { problem: say("delivery_gone") };
  if (status >= 300 && status < 400) return { problem: say("delivery_redirect", { status }) };
  return { problem: say("delivery_status", { status }) };
}

function problemOf(error: unknown, timeoutMs: number): Message {
  if (error instanceof Refusal) return error.said;
  if (error instanceof Error && error.name === "TimeoutError") {
    return say("delivery_timeout", { seconds: Math.round(timeoutMs / 1000) });
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ECONNRESET" || code === "EPIPE" || code.startsWith("HPE_")) return say("delivery_refused");
  return say("delivery_unreachable", { detail: /^[\w-]{1,60}$/.test(code) ? code : "error" });
}

interface Answered {
  readonly status: number;
  readonly answer: string;
  readonly retrySeconds?: number;
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  rule: AddressRule,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" },
      agent: false,
      lookup: guardedLookup(url, rule),
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    // What went wrong first counts; a request that was destroyed tells so again.
    request.on("error", (error) => reject(timeout.aborted ? timeout.reason : error));
    // Whoever wants to speak something else is not answered: without this, nothing would ever be told.
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(Object.assign(new Error("the endpoint asked for another protocol"), { code: "ECONNRESET" }));
    });
    request.on("response", (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      const end = () => {
        const answer = Buffer.concat(pieces).subarray(0, KEPT_BYTES);
        resolve({
          status: response.statusCode ?? 0,
          answer: readable(answer),
          ...pauseOf(response.headers["retry-after"]),
        });
        request.destroy();
      };
      response.on("data", (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
        // Whatever else it says is not read.
        if (bytes >= KEPT_BYTES) end();
      });
      response.on("end", end);
      response.on("error", (error) => reject(timeout.aborted ? timeout.reason : error));
    });
    request.end(body);
  });
}

/** What PostgreSQL takes as text and a screen shows as such. */
const readable = (bytes: Buffer): string => new TextDecoder().decode(bytes).replace(/[^\P{Cc}\n\t]/gu, "\ufffd");

/** Seconds or a date, within bounds. */
function pauseOf(header: string | undefined): { readonly retrySeconds?: number } {
  if (header === undefined) return {};
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds)
    ? { retrySeconds: Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_PAUSE_SECONDS) }
    : {};
}
