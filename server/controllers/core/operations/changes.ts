// core/changes index: what happened since a place in the feed of changes, at once, after waiting for it, or as a stream of events
// that goes on. Every answer says the place to go on from.
import { Readable } from "node:stream";
import { Failure } from "../../../../contract/failures.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { inOrganization } from "../../../database/scope.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { findType } from "../../../metadata/snapshot.ts";
import type { Operation, OperationContext, OperationResult } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { cursorText, type FeedCursor, readCursor } from "../../../records/feed/feed-cursor.ts";
import type { FeedEvent } from "../../../records/feed/present-events.ts";
import { type FeedPage, type FeedQuestion, readFeed } from "../../../records/feed/read-feed.ts";
import { shown, textAt } from "../../../request/tree.ts";
import { type Attendance, attend } from "./attend-record.ts";

const MOST = 1_000;
const MOST_WAIT_SECONDS = 60;
/** Something is sent so often, that nobody on the way takes the connection for dead. */
const SIGN_OF_LIFE_MS = 10_000;
/** Then the client connects again, as whoever it is by then. */
const STREAM_MS = 15 * 60_000;
const RETRY_MS = 2_000;
const STREAM_TYPE = "text/event-stream";

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

function numberAt(context: OperationContext, name: string, otherwise: number, least: number, max: number): number {
  const sent = textAt(context.call.parameters, name);
  if (sent === undefined) return otherwise;
  if (!/^\d{1,4}$/.test(sent) || Number(sent) < least || Number(sent) > max)
    refuse(name, say("must_be_whole", { min: least, max }));
  return Number(sent);
}

/** Those that the caller may list. One that it may not is refused like one that is not there. */
function typesAt({ call, snapshot }: OperationContext, caller: Caller): readonly RecordType[] | undefined {
  const sent = textAt(call.parameters, "controller");
  if (sent === undefined) return undefined;
  const names = sent.split(";").filter((name) => name !== "");
  if (names.length === 0) refuse("controller", say("no_such_type", { sent: shown(sent) }));
  return names.map((name) => {
    const type = findType(snapshot, name);
    if (!type || !mayOperate(caller, type, "index")) refuse("controller", say("no_such_type", { sent: shown(name) }));
    return type;
  });
}

function cursorAt(context: OperationContext): FeedCursor | undefined {
  const sent = context.request.header("last-event-id") || textAt(context.call.parameters, "after");
  if (sent === undefined) return undefined;
  return readCursor(sent) ?? refuse("after", say("must_be_cursor"));
}

/** As it goes out, with the place right after it. */
const eventText = (event: FeedEvent, { organizationId, era, rights }: FeedCursor) => ({
  ...event,
  position: undefined,
  cursor: cursorText({ organizationId, era, position: event.position, rights }),
});

/** The version of the record types that the follower knows. */
function designAt({ call }: OperationContext): bigint | undefined {
  const sent = textAt(call.parameters, "design");
  if (sent === undefined) return undefined;
  return /^\d{1,18}$/.test(sent) ? BigInt(sent) : refuse("design", say("must_be_design"));
}

/** Only a later one is news: another process may not have heard of it yet. */
const isDesignNews = ({ services }: OperationContext, known: bigint | undefined): boolean =>
  known !== undefined && BigInt(services.metadata.current().version) > known;

const bodyOf = ({ services }: OperationContext, { events, cursor, more }: FeedPage, attendance?: Attendance) => ({
  data: {
    changes: events.map((event) => eventText(event, cursor)),
    ...(attendance ? { present: attendance.present } : {}),
  },
  cursor: cursorText(cursor),
  more: more ? 1 : 0,
  design: services.metadata.current().version,
  ...(attendance ? { present: attendance.token } : {}),
});

export const changes: Operation = {
  // By POST where a filter is too long for an address.
  methods: ["GET", "POST"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context): Promise<OperationResult> {
    const caller = requireCaller(context);
    const question: FeedQuestion = {
      caller,
      snapshot: context.snapshot,
      after: cursorAt(context),
      types: typesAt(context, caller),
      limit: numberAt(context, "limit", 100, 1, MOST),
    };
    const wait = numberAt(context, "wait", 0, 0, MOST_WAIT_SECONDS) * 1_000;
    const design = designAt(context);
    const page = await readFeed(context.services.database, question);
    const attendance = await attend(context, caller);
    const isStream = (context.request.header("accept") ?? "").toLowerCase().includes(STREAM_TYPE);
    const hasNews = page.events.length > 0 || attendance?.isNews === true || isDesignNews(context, design);
    const isLong = wait > 0 && !hasNews && question.after !== undefined;
    if (context.call.headOnly || !(isStream || isLong)) {
      attendance?.end();
      return { body: bodyOf(context, page, attendance) };
    }
    const leave = enter(context, caller, attendance);
    const listening = { context, question, attendance, design: isStream ? undefined : design };
    const end = (): void => {
      attendance?.end();
      leave();
    };
    return isStream
      ? streamed(STREAM_TYPE, stream(listening, page), end, { "x-accel-buffering": "no" })
      : streamed("application/json; charset=utf-8", later(listening, page, wait), end);
  },
};

function enter({ services }: OperationContext, { userId }: Caller, attendance: Attendance | undefined): () => void {
  try {
    return services.feed.enter(userId);
  } catch (error) {
    attendance?.end();
    throw error;
  }
}

interface Listening {
  readonly context: OperationContext;
  readonly question: FeedQuestion;
  readonly attendance: Attendance | undefined;
  /** What the follower knows of it. */
  readonly design: bigint | undefined;
}

type Pieces = (signal: AbortSignal) => AsyncGenerator<string>;

/** An answer that is made while it is sent: no place of the organization is taken meanwhile. */
function streamed(
  contentType: string,
  pieces: Pieces,
  leave: () => void,
  headers: Readonly<Record<string, string>> = {},
): OperationResult {
  const gone = new AbortController();
  const making = pieces(gone.signal);
  // Pulled piece by piece: for whoever does not read, nothing is made. Whoever is gone is gone at once, not when a wait is over.
  const content = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      making.next().then(
        ({ value, done }) => this.destroyed || this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      leave();
      gone.abort();
      void making.return(undefined);
      done(error);
    },
  });
  return { headers, raw: { contentType, content, live: true } };
}

/** Waits until there is something that the caller may know of. The blanks before it say that the service is still there. */
function later(listening: Listening, first: FeedPage, milliseconds: number): Pieces {
  const { context, attendance, design } = listening;
  return async function* (signal) {
    try {
      const until = performance.now() + milliseconds;
      let page = first;
      const isOver = () => performance.now() >= until || ended(context, signal);
      const hasNews = () => page.events.length > 0 || attendance?.isNews === true || isDesignNews(context, design);
      while (!hasNews() && !isOver()) {
        yield " ";
        const head = await untilNews(listening, page, Math.min(until - performance.now(), SIGN_OF_LIFE_MS), signal);
        page = await readAgain(listening, page.cursor, head);
      }
      yield context.afterwards.write({ body: bodyOf(context, page, attendance) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      yield context.afterwards.write(error);
    }
  };
}

function stream(listening: Listening, first: FeedPage): Pieces {
  const { context, attendance } = listening;
  return async function* (signal) {
    try {
      const until = performance.now() + STREAM_MS;
      let told: string | undefined;
      yield `retry: ${RETRY_MS}\n\n`;
      for (let page = first; ; ) {
        for (const event of page.events) {
          const told = eventText(event, page.cursor);
          yield `id: ${told.cursor}\nevent: change\ndata: ${JSON.stringify(told)}\n\n`;
        }
        if (attendance && attendance.token !== told) {
          told = attendance.token;
          yield `event: presence\ndata: ${JSON.stringify({ present: attendance.present })}\n\n`;
        }
        // Without data, this is no event: it moves the place to go on from, and says that the service is still there.
        yield `id: ${cursorText(page.cursor)}\n\n`;
        if (performance.now() > until || ended(context, signal)) return;
        const head = page.more ? undefined : await untilNews(listening, page, SIGN_OF_LIFE_MS, signal);
        page = await readAgain(listening, page.cursor, head);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      yield `event: failure\ndata: ${context.afterwards.write(error)}\n\n`;
    }
  };
}

const ended = ({ services }: OperationContext, signal: AbortSignal): boolean =>
  signal.aborted || services.feed.closed.aborted;

async function untilNews(
  { context, attendance, design }: Listening,
  { cursor: { organizationId, position } }: FeedPage,
  milliseconds: number,
  signal: AbortSignal,
): Promise<FeedQuestion["head"]> {
  if (isDesignNews(context, design)) return undefined;
  const expected = { organizationId, position, at: attendance?.at, followsDesign: design !== undefined };
  return context.services.feed.wait(expected, milliseconds, signal);
}

/** As whoever the caller is by now: rights may have changed, and sessions end. */
async function readAgain(
  { context, question, attendance }: Listening,
  after: FeedCursor,
  head: FeedQuestion["head"],
): Promise<FeedPage> {
  const { services, afterwards } = context;
  return inOrganization(after.organizationId, services.config.statementMs, async () => {
    const caller = await afterwards.identify();
    const types = question.types?.filter((type) => mayOperate(caller, type, "index"));
    const snapshot = services.metadata.current();
    await attendance?.refresh(caller, snapshot);
    return readFeed(services.database, { ...question, caller, snapshot, types, after, isPublished: true, head });
  });
}
