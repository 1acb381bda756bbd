// Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON, in batches. Loaded only where traces are wanted. What the
// collector does not take is given up: traces never hold the service up, nor fill its memory.
import { setTimeout as delay } from "node:timers/promises";
import type { FinishedSpan, SpanKind } from "./tracer.ts";

export interface OtlpOptions {
  /** Of the traces: `http://collector:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly log: (message: string) => void;
}

export interface Otlp {
  take(span: FinishedSpan): void;
  close(): Promise<void>;
}

const BATCH = 512;
const MOST_WAITING = 4_096;
const SEND_EVERY_MS = 2_000;
const ANSWER_MS = 10_000;
const CLOSE_MS = 2_000;

const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };

const nanoseconds = (ms: number): string => String(BigInt(Math.round((performance.timeOrigin + ms) * 1e3)) * 1_000n);

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === "string" ? { stringValue: value } : { intValue: String(Math.round(value)) },
});

const attributesOf = (of: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(of).flatMap(([key, value]) => (value === undefined ? [] : [attribute(key, value)]));

/** As opentelemetry/proto/trace/v1 has it in JSON. */
const presented = ({ traceId, spanId, parentId, name, kind, began, ended, attributes, failure }: FinishedSpan) => ({
  traceId,
  spanId,
  ...(parentId === undefined ? {} : { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(began),
  endTimeUnixNano: nanoseconds(Math.max(began, ended)),
  attributes: attributesOf({ ...attributes, "error.type": failure }),
  status: failure === undefined ? {} : { code: 2, message: failure },
});

export function openOtlp({ url, headers, serviceName, version, log }: OtlpOptions): Otlp {
  let waiting: FinishedSpan[] = [];
  let sending: Promise<void> | undefined;
  /** Told once, until it works again. */
  let trouble: string | undefined;
  const resource = {
    attributes: attributesOf({ "service.name": serviceName, "service.version": version, "process.pid": process.pid }),
  };

  const post = async (spans: readonly FinishedSpan[]): Promise<void> => {
    const body = {
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "dossier", version }, spans: spans.map(presented) }] }],
    };
    let wrong: string | undefined;
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) wrong = `it answered ${answer.status}`;
    } catch (error) {
      wrong =
        error instanceof Error
          ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ""}`
          : String(error);
    }
    if (wrong !== undefined && trouble === undefined) log(`traces are not taken at ${new URL(url).host}: ${wrong}`);
    if (wrong === undefined && trouble !== undefined) log(`traces are taken at ${new URL(url).host} again`);
    trouble = wrong;
  };
  const send = (): Promise<void> => {
    sending ??= (async () => {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        waiting = waiting.slice(BATCH);
        await post(batch);
        // A collector that is away is asked again later; what waits then is enough to look at.
        if (trouble !== undefined) return;
      }
    })().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void send(), SEND_EVERY_MS).unref();
  return {
    take: (span) => {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push(span);
      if (waiting.length >= BATCH && trouble === undefined) void send();
    },
    close: async () => {
      clearInterval(timer);
      const rest = (async () => {
        await sending;
        await send();
      })();
      // A collector that hangs does not keep a service from stopping.
      await Promise.race([rest, delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
