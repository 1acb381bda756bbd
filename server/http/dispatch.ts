// Takes a request for anything but a fixed route; gives the answer of the operation it addresses, or the web app.
// The order is the order of trust: address, rate, readiness, operation, caller, matrix, and only then the body.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { Grant } from "../access/grant.ts";
import { outdatedDesign } from "../database/errors.ts";
import { giveTime as beginTime, busy, clientGone, streamsTaken, within } from "../database/scope.ts";
import { localize } from "../labels/localize.ts";
import { createFairGate } from "../lib/turns/fair-gate.ts";
import { saversFirst } from "../lib/turns/savers-first.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { BodyLimits, JsonResult, Operation, OperationResult } from "../operations/operation.ts";
import { prefersHtml } from "../request/accept.ts";
import type { Body } from "../request/body.ts";
import { buildCall, type Call, parseQuery } from "../request/call.ts";
import { keysOf, limits } from "../request/limits.ts";
import { type Address, parsePath, parseRecordTypeKey } from "../request/path.ts";
import { emptyTree, type Tree, textAt } from "../request/tree.ts";
import type { AppDependencies, FoundOperation } from "./dependencies.ts";
import { inEncoding, presentFailure, writeResult } from "./envelope.ts";
import { type Exchange, exchangeOf, timed } from "./exchange.ts";
import { bearerToken, confirmCaller, countStranger, identify, isOwnFault } from "./identify.ts";
import { type IncomingBody, incomingBody } from "./incoming-body.ts";
import { leave, sendResult } from "./send-result.ts";
import { uploadRoot } from "./uploads.ts";
import type { WebApp } from "./web-app.ts";

interface Names {
  readonly module: string;
  readonly controller: string;
  readonly operation: string;
}

interface Answer {
  readonly call: Call;
  readonly result: OperationResult;
  readonly compress: boolean;
}

/**
 * How many requests are worked on at once. One organization (or address) never takes all places: the others find one free,
 * and wait for the statements of a few requests instead of for all that were sent before theirs.
 */
const TURNS = { slots: 48, perName: 16, mostWaiting: 400, refuse: busy } as const;

const refuseStream = (isOwn: boolean): Failure => (isOwn ? busy() : streamsTaken());

/** Bodies of JSON lines that are read at once: each holds a chunk of them, and as long as its sender sends. */
const STREAMS = { slots: 64, perName: 8, mostWaiting: 0, refuse: refuseStream } as const;

/** So often a request is begun anew because the design changed under it. */
const MOST_TRIES = 5;

/** Tokens, keys and secrets come from these alone, and from what needs no login. */
const tellsSecrets = ({ module, controller }: Names): boolean =>
  module === "access_controls" || controller === "webhooks" || controller === "feed_links";

const mayCompress = (operation: Operation, names: Names, writes: boolean): boolean =>
  operation.authentication === "required" && (!writes || !tellsSecrets(names));

function untilClosed(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { socket } = request.raw;
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort(clientGone());
  });
  if (socket.destroyed) gone.abort(clientGone());
  return gone.signal;
}

export function dispatcher(dependencies: AppDependencies, web: WebApp) {
  const { config, services, throttle: limiter } = dependencies;
  const uploads = uploadRoot(config.dataDir);
  const known: BodyLimits = { bytes: limits.bodyBytes, files: limits.files, fileBytes: config.files.maxBytes };
  const unknown: BodyLimits = { bytes: limits.strangersBytes, files: 0, fileBytes: 0 };
  const turns = createFairGate(TURNS);
  const streams = createFairGate(STREAMS);
  let wasReady = false;

  const giveTime = ({ scope }: Exchange): void => beginTime(scope, config.statementMs);

  const identifyCaller = async (request: FastifyRequest, reply: FastifyReply, writes: boolean): Promise<Caller> => {
    const { authenticate } = dependencies;
    const exchange = exchangeOf(request);
    const caller = await identify({ request, reply, exchange, throttle: limiter, writes, authenticate });
    exchange.scope.share = caller.organizationId;
    exchange.scope.about.organization = caller.organizationId;
    exchange.scope.about.user = caller.userId;
    return caller;
  };

  function find(snapshot: Snapshot, names: Names): FoundOperation {
    const found = dependencies.findOperation(snapshot, names.module, names.controller, names.operation);
    if (typeof found !== "string") return found;
    throw new Failure(found, { with: { ...names, type: `${names.module}/${names.controller}` } });
  }

  async function readBody(exchange: Exchange, incoming: IncomingBody, taken: BodyLimits): Promise<Body> {
    const body = await timed(exchange, "body", () => incoming.read(taken));
    exchange.rpcId ??= await incoming.rpcId();
    return body;
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    address: Address,
    incoming: IncomingBody,
  ): Promise<Answer> {
    const exchange = exchangeOf(request);
    exchange.rpcId = await incoming.rpcId();
    if (address.kind === "other") throw new Failure("unknown_address");
    const query = parseQuery(exchange.target.query);
    let names: Names;
    let body: Body | undefined;
    if (address.kind === "bare") {
      // Which record type is meant may stand in the body, and nobody unknown may send one: the caller comes first.
      await identifyCaller(request, reply, true);
      body = await readBody(exchange, incoming, known);
      names = {
        ...parseRecordTypeKey(textAt(body.tree, "controller") ?? textAt(query, "controller")),
        operation: address.operation,
      };
    } else {
      names = address;
    }
    const snapshot = dependencies.snapshot();
    const { operation, type: called } = find(snapshot, names);
    exchange.operation = names.operation;
    exchange.scope.about.operation = names.operation;
    if (called !== undefined) exchange.scope.about.type = called.key;
    const method = checkMethod(request.method, operation);
    const writes = operation.reads === "by GET" ? method !== "GET" : !operation.reads;
    if (operation.authentication === "required") exchange.caller ??= await identifyCaller(request, reply, writes);
    else countStranger(request, reply, limiter);
    // From here on, labels are in the reader's language.
    const spoken = (design: Snapshot): Snapshot => localize(design, exchange.language, exchange.caller?.glossary);
    const admit = (of: RecordType | undefined): Grant | undefined => {
      if (operation.authentication !== "required" || exchange.caller === undefined) return undefined;
      const { keepsLimits } = operation;
      const needs = writes ? operation : { matrix: operation.askMatrix ?? operation.matrix, keepsLimits };
      return dependencies.admit(exchange.caller, of, needs);
    };
    const entered = (design: Snapshot) => {
      const inLanguage = spoken(design);
      const { type } = find(inLanguage, names);
      return { inLanguage, type, admitted: admit(type) };
    };
    const first = entered(snapshot);
    const taken = operation.takes ?? (exchange.caller ? known : unknown);
    body ??= await readBody(exchange, incoming, operation.takesLines ? { ...taken, lines: true } : taken);
    // A body may take its time: waiting and reading begin now.
    giveTime(exchange);
    const call = named(callOf(request, { ...names, method, query, body, rpcId: exchange.rpcId }), first.type);
    // Who only asks and goes away wants nothing any more; what is being saved is saved.
    exchange.scope.signal = writes ? undefined : untilClosed(request, reply);
    exchange.scope.reads = !writes;
    const runOn = (metadata: Snapshot, of: RecordType | undefined, grant: Grant | undefined) =>
      operation.run({
        call,
        caller: exchange.caller,
        language: exchange.language,
        snapshot: metadata,
        type: of,
        grant,
        services,
        request: {
          id: request.id,
          address: request.ip,
          userAgent: request.headers["user-agent"] ?? "",
          header: (name) => request.headers[name]?.toString(),
        },
        afterwards: {
          identify: async () => {
            const caller = await identifyCaller(request, reply, false);
            await confirmCaller(exchange);
            return caller;
          },
          write: (result) => writeLater(result, exchange, request.id),
        },
        inTurn: (work) => {
          giveTime(exchange);
          return turns.run(exchange.scope.share, work, exchange.scope);
        },
        time: (stage, work) => timed(exchange, stage, work),
      });
    const run = async () => {
      // While the body came, and while it waited, the design may have changed.
      let now = dependencies.snapshot();
      let found = now.version === snapshot.version ? first : entered(now);
      for (let tries = 1; ; tries += 1) {
        try {
          return await runOn(found.inLanguage, found.type, found.admitted);
        } catch (error) {
          if (!outdatedDesign(error)) throw error;
          if (exchange.scope.saved) throw new Failure("outcome_unknown", { cause: error });
          await dependencies.reload();
          const fresh = dependencies.snapshot();
          if (fresh.version === now.version) throw error;
          // Files and lines were read: they are sent once.
          if (call.files.length > 0 || body.lines || tries === MOST_TRIES)
            throw new Failure("conflict", { with: { reason: say("design_changed") }, cause: error });
          now = fresh;
          found = entered(fresh);
        }
      }
    };
    // Who sends lines at leisure keeps nobody waiting: their operation takes its turns by itself.
    const gate = body.lines ? streams : turns;
    const work = writes && !body.lines ? () => saversFirst.saving(run) : run;
    const ran = gate.run(exchange.scope.share, work, exchange.scope).catch((error: unknown) => {
      throw writes && exchange.scope.saved ? unknownOutcome(error) : error;
    });
    const result = await toldOnlyTo(exchange, ran);
    return { call, result, compress: mayCompress(operation, names, writes) };
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const exchange = exchangeOf(request);
    const address = parsePath(exchange.target.path);
    if (request.method === "GET" || request.method === "HEAD") {
      const file = address.kind === "other" && (await web.findFile(address.segments));
      const page = file || wantsPage(address, request.headers.accept);
      if (page) {
        exchange.operation = "web";
        return file ? web.sendFile(reply, file) : web.sendPage(reply);
      }
    }
    if (bearerToken(request.headers.authorization) === undefined) countStranger(request, reply, limiter);
    giveTime(exchange);
    wasReady ||= await dependencies.ready();
    if (!wasReady) throw new Failure("not_ready");
    const incoming = incomingBody(request.raw, uploads, keysOf("operation" in address ? address.operation : undefined));
    const { call, result, compress } = await within(exchange.scope, () =>
      answer(request, reply, address, incoming)
        .catch((error: unknown) => {
          if (!isOwnFault(error)) countStranger(request, reply, limiter);
          throw error;
        })
        .finally(incoming.remove),
    );
    return sendResult(request, reply, result, call, { compress, readerMs: config.readerMs });
  };
}

/** A JSON-RPC caller gets it as the result of its call, whenever it comes. */
function writeLater(result: JsonResult | Failure, { language, caller, rpcId }: Exchange, requestId: string): string {
  const text =
    result instanceof Failure
      ? JSON.stringify(presentFailure(result, requestId, language, caller))
      : writeResult(result, language, caller);
  return String(inEncoding(text, rpcId));
}

/** What was refused for want of time or room after something was saved must not look as if nothing had been. */
const unknownOutcome = (error: unknown): unknown =>
  error instanceof Failure && (error.status === 429 || error.status === 503)
    ? new Failure("outcome_unknown", { cause: error })
    : error;

/** Gives the result, or the failure, of what ran, unless its caller's session has ended meanwhile. */
async function toldOnlyTo(exchange: Exchange, run: Promise<OperationResult>): Promise<OperationResult> {
  const [ran, confirmed] = await Promise.allSettled([run, confirmCaller(exchange)]);
  if (confirmed.status === "rejected") {
    if (ran.status === "fulfilled") leave(ran.value);
    throw confirmed.reason;
  }
  if (ran.status === "rejected") throw ran.reason;
  return ran.value;
}

/** What was sent under another name of the record type is its own all the same. */
function named(call: Call, type: RecordType | undefined): Call {
  const other = type?.names.find((name) => name !== type.alias && Object.hasOwn(call.data, name));
  if (type === undefined || other === undefined || Object.hasOwn(call.data, type.alias)) return call;
  const { [other]: sent = null, ...rest } = call.data;
  return { ...call, data: Object.assign(emptyTree(), rest, { [type.alias]: sent }) };
}

function wantsPage(address: Address, accept: string | undefined): boolean {
  if (address.json) return false;
  // Nothing but the app lives at the root, so whoever does not insist on JSON gets it.
  if (address.kind === "other" && address.segments.length === 0) return !accept?.includes("application/json");
  return prefersHtml(accept);
}

/** HEAD is a GET without content; of an operation that writes by GET there is none: whoever only asks changes nothing. */
function checkMethod(method: string, operation: Operation): "GET" | "POST" {
  const asks = operation.reads !== false && operation.methods.includes("GET");
  const sent = method === "HEAD" && asks ? "GET" : method;
  const found = operation.methods.find((allowed) => allowed === sent);
  if (found !== undefined) return found;
  const allow = [...operation.methods, ...(asks ? ["HEAD"] : [])].join(", ");
  const allowed = operation.methods;
  throw new Failure("wrong_method", { with: { method, allowed }, headers: { allow } });
}

interface Sent extends Names {
  readonly method: "GET" | "POST";
  readonly query: Tree;
  readonly body: Body;
  readonly rpcId: string | undefined;
}

function callOf(request: FastifyRequest, sent: Sent): Call {
  const idempotencyKey = request.headers["idempotency-key"];
  return buildCall({
    ...sent,
    headOnly: request.method === "HEAD",
    idempotencyKey: Array.isArray(idempotencyKey) ? idempotencyKey.join(",") : idempotencyKey,
    ifNoneMatch: request.headers["if-none-match"],
    range: request.headers.range,
    ifRange: request.headers["if-range"]?.toString(),
  });
}
