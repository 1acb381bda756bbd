// Traces, where they are wanted: what a span is, which of them are recorded, and the W3C header that joins them to those of
// others. Whoever makes spans takes a Tracer or undefined; without one nothing is done. Never holds a value of a record.
import { randomBytes } from "node:crypto";

/** What joins spans: 32 and 16 hexadecimal digits. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Ids, names of ours and numbers alone. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface FinishedSpan extends SpanContext {
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Of performance.now(). */
  readonly began: number;
  readonly ended: number;
  readonly attributes: Attributes;
  /** A code of ours, where it failed. */
  readonly failure: string | undefined;
}

export interface SpanEnd {
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly failure?: string | undefined;
}

export interface Span extends SpanContext {
  end(how?: SpanEnd): void;
}

export interface Tracer {
  /** Undefined: this trace is not recorded. `traceparent`: as a client sent it; `parent`: a span of ours. */
  begin(
    name: string,
    kind: SpanKind,
    from?: { traceparent?: unknown; parent?: SpanContext | undefined },
  ): Span | undefined;
  /** A span that is over. */
  record(span: Omit<FinishedSpan, "traceId" | "spanId" | "parentId" | "ended">, parent: SpanContext): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NONE = /^0+$/;

export interface RemoteParent extends SpanContext {
  readonly sampled: boolean;
}

/** Undefined for what is no traceparent: then a trace of our own begins. */
export function parseTraceparent(header: unknown): RemoteParent | undefined {
  const [, traceId = "", spanId = "", flags = ""] = (typeof header === "string" && PARENT.exec(header)) || [];
  if (traceId === "" || NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** For requests that the service itself sends. */
export const traceHeaders = (span: SpanContext | undefined): Readonly<Record<string, string>> =>
  span ? { traceparent: `00-${span.traceId}-${span.spanId}-01` } : {};

const SCALE = 2 ** 32;

/** The same for every service that a trace goes through. */
const isAdmitted = (traceId: string, ratio: number): boolean =>
  ratio >= 1 || Number.parseInt(traceId.slice(-8), 16) < ratio * SCALE;

export interface TracerOptions {
  /** Of all traces, from 0 to 1. */
  readonly ratio: number;
  readonly take: (span: FinishedSpan) => void;
  readonly close: () => Promise<void>;
}

export function createTracer({ ratio, take, close }: TracerOptions): Tracer {
  const newId = (bytes: number): string => randomBytes(bytes).toString("hex");
  return {
    begin: (name, kind, { traceparent, parent } = {}) => {
      const remote = parent ? undefined : parseTraceparent(traceparent);
      const traceId = parent?.traceId ?? remote?.traceId ?? newId(16);
      if (!parent && (remote?.sampled === false || !isAdmitted(traceId, ratio))) return undefined;
      const own = { traceId, spanId: newId(8), parentId: parent?.spanId ?? remote?.spanId };
      const began = performance.now();
      let isOver = false;
      return {
        ...own,
        end: ({ name: finally_ = name, attributes = {}, failure } = {}) => {
          if (isOver) return;
          isOver = true;
          take({ ...own, name: finally_, kind, began, ended: performance.now(), attributes, failure });
        },
      };
    },
    record: (span, { traceId, spanId }) =>
      take({ ...span, traceId, spanId: newId(8), parentId: spanId, ended: performance.now() }),
    close,
  };
}
