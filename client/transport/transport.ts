// Carries one call over the wire: address, token, body, answer. Throws WireFailure or Unreachable, never anything else
// (an aborted call throws its AbortError).
import type { Envelope } from "../../contract/envelope.ts";
import { type QueryValue, wireAddress } from "./address.ts";
import { hasFiles, toFormData } from "./form-data.ts";
import type { PendingWrites } from "./pending-writes.ts";
import { sendUpload } from "./send-upload.ts";
import { Unreachable, WireFailure } from "./wire-failure.ts";

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON, or as form-data where files are among it; makes the call a POST. */
  readonly body?: object | undefined;
  /** Of a call with files: how much has gone, from 0 to 1. */
  readonly onProgress?: ((part: number) => void) | undefined;
  readonly method?: "GET" | "POST";
  readonly signal?: AbortSignal | undefined;
  /** Sent without a token: logging in and refreshing. */
  readonly anonymous?: boolean;
  /** The Idempotency-Key, where the caller has one; writes that are sent with a token have one by themselves. */
  readonly key?: string | undefined;
}

export type Answer<Body> = Envelope & Body;

export interface WireFile {
  readonly name: string | undefined;
  readonly content: Blob;
}

export interface Call {
  <Body>(path: string, options?: CallOptions): Promise<Answer<Body>>;
  /** A call that is answered by a file. */
  readonly file: (path: string, options?: CallOptions) => Promise<WireFile>;
}

export interface TransportParts {
  /** Empty for the same origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof fetch;
  /** A bearer token for the call; `refused` is the one that the service has just not taken. */
  readonly token?: (refused?: string) => Promise<string | undefined>;
  /** The service wants a login and there is no token left to try. Gives true once somebody has logged in again. */
  readonly onLoginRequired?: () => Promise<boolean>;
  /** `begun`: when the call was made, of performance.now(). What it tells may be older than what is known by now. */
  readonly onAnswer?: (envelope: Envelope, begun: number) => void;
  /** A call that writes has started. */
  readonly onWrite?: (path: string, options: CallOptions, answer: Promise<Envelope>) => void;
  /** In which the reader reads the program: the service answers in it. */
  readonly language?: () => string;
  /** Sees to it that what is sent again is not written again. */
  readonly pendingWrites?: PendingWrites;
}

const methodOf = ({ method, body }: CallOptions) => method ?? (body === undefined ? "GET" : "POST");

/** What makes a write the same one: a file counts by its name, size and time, the form that is known meanwhile does not. */
function contentOf(path: string, { query, body }: CallOptions): string {
  const { form: _, ...meant } = query ?? {};
  return JSON.stringify([path, meant, body], (_key, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
}

export function createTransport(parts: TransportParts): Call {
  const { baseUrl = "", token, onLoginRequired, onAnswer, onWrite, pendingWrites, language } = parts;
  const send = parts.fetch ?? ((input, init) => fetch(input, init));

  async function once(path: string, options: CallOptions, bearer: string | undefined): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (language !== undefined) headers["x-language"] = language();
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`;
    if (options.key !== undefined) headers["idempotency-key"] = options.key;
    const init: RequestInit = { method: methodOf(options), headers };
    const address = baseUrl + wireAddress(path, options.query);
    if (options.body !== undefined && hasFiles(options.body)) {
      const { onProgress, signal } = options;
      const body = toFormData(options.body);
      try {
        if (onProgress === undefined) {
          return await send(address, { ...init, body, credentials: "omit", ...(signal ? { signal } : {}) });
        }
        return await sendUpload(address, { headers, body, ...(signal ? { signal } : {}) }, onProgress);
      } catch (error) {
        if (signal?.aborted) throw error;
        throw new Unreachable(error);
      }
    }
    if (options.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    if (options.signal) init.signal = options.signal;
    try {
      return await send(address, {
        ...init,
        credentials: "omit",
        cache: "no-store",
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Unreachable(error);
    }
  }

  function refuse(response: Response, envelope: Envelope | undefined): never {
    throw new WireFailure(response.status, envelope ?? {}, response.headers);
  }

  async function ask(path: string, options: CallOptions): Promise<Response> {
    if (options.anonymous) return once(path, options, undefined);
    const bearer = await token?.();
    const response = await once(path, options, bearer);
    if (response.status !== 401) return response;
    const other = bearer === undefined ? undefined : await token?.(bearer);
    const second = other === undefined ? response : await once(path, options, other);
    if (second.status !== 401 || !(await onLoginRequired?.())) return second;
    // Nothing was done yet: the call goes on as if nothing had happened.
    return once(path, options, await token?.());
  }

  /** The answer and what it says. A write is open until the service has told what became of it. */
  async function exchange(path: string, options: CallOptions): Promise<readonly [Response, Envelope | undefined]> {
    const hasOwn = options.key !== undefined || options.anonymous;
    const key = methodOf(options) === "GET" || hasOwn ? undefined : pendingWrites?.begin(contentOf(path, options));
    let isSettled = false;
    try {
      const response = await ask(path, { ...options, key: key ?? options.key });
      const envelope = await readEnvelope(response);
      isSettled = response.status < 500 && envelope !== undefined;
      return [response, envelope];
    } finally {
      if (key !== undefined && isSettled) pendingWrites?.settle(key);
      else if (key !== undefined) pendingWrites?.leaveOpen(key);
    }
  }

  function call<Body>(path: string, options: CallOptions = {}): Promise<Answer<Body>> {
    const answer = answerTo<Body>(path, options);
    if (methodOf(options) !== "GET") onWrite?.(path, options, answer);
    return answer;
  }

  async function answerTo<Body>(path: string, options: CallOptions): Promise<Answer<Body>> {
    const begun = performance.now();
    const [response, envelope] = await exchange(path, options);
    if (!response.ok) return refuse(response, envelope);
    if (envelope === undefined) throw new Unreachable(new Error(`${path} was not answered in JSON`));
    onAnswer?.(envelope, begun);
    // The body's shape is the contract between this call's typed wrapper and the service.
    return envelope as Answer<Body>;
  }

  async function file(path: string, options: CallOptions = {}): Promise<WireFile> {
    const response = await ask(path, options);
    if (!response.ok) return refuse(response, await readEnvelope(response));
    return { name: fileName(response.headers.get("content-disposition")), content: await response.blob() };
  }

  return Object.assign(call, { file });
}

/** The name that a file is sent under, with all its letters where they are given (RFC 6266). */
export function fileName(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  return encoded === undefined ? /filename="([^"]+)"/i.exec(disposition ?? "")?.[1] : decodeURIComponent(encoded);
}

async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
