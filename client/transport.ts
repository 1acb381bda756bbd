// Carries one call over the wire: address, token, body, answer. Throws WireFailure or Unreachable, never anything else
// (an aborted call throws its AbortError).
import type { Envelope } from "../contract/envelope.ts";
import { type QueryValue, wireAddress } from "./address.ts";
import { Unreachable, WireFailure } from "./wire-failure.ts";

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON; makes the call a POST. */
  readonly body?: unknown;
  readonly method?: "GET" | "POST";
  readonly signal?: AbortSignal | undefined;
  /** Sent without a token: logging in and refreshing. */
  readonly anonymous?: boolean;
}

export type Answer<Body> = Envelope & Body;

export type Call = <Body>(path: string, options?: CallOptions) => Promise<Answer<Body>>;

export interface TransportParts {
  /** Empty for the same origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof fetch;
  /** A bearer token for the call; `refused` is the one that the service has just not taken. */
  readonly token?: (refused?: string) => Promise<string | undefined>;
  /** The service wants a login and there is no token left to try. */
  readonly onLoginRequired?: () => void;
  readonly onAnswer?: (envelope: Envelope) => void;
}

export function createTransport(parts: TransportParts): Call {
  const { baseUrl = "", token, onLoginRequired, onAnswer } = parts;
  const send = parts.fetch ?? ((input, init) => fetch(input, init));

  async function once(path: string, options: CallOptions, bearer: string | undefined): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`;
    const init: RequestInit = { method: options.method ?? (options.body === undefined ? "GET" : "POST"), headers };
    if (options.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    if (options.signal) init.signal = options.signal;
    try {
      return await send(baseUrl + wireAddress(path, options.query), {
        ...init,
        credentials: "omit",
        cache: "no-store",
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Unreachable(error);
    }
  }

  return async function call<Body>(path: string, options: CallOptions = {}) {
    const bearer = options.anonymous ? undefined : await token?.();
    let response = await once(path, options, bearer);
    if (response.status === 401 && bearer !== undefined) {
      const other = await token?.(bearer);
      if (other !== undefined) response = await once(path, options, other);
    }
    const envelope = await readEnvelope(response);
    if (!response.ok) {
      if (response.status === 401 && !options.anonymous) onLoginRequired?.();
      throw new WireFailure(response.status, envelope ?? {}, response.headers);
    }
    if (envelope === undefined) throw new Unreachable(new Error(`${path} was not answered in JSON`));
    onAnswer?.(envelope);
    // The body's shape is the contract between this call's typed wrapper and the service.
    return envelope as Answer<Body>;
  };
}

async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
