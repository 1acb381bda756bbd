// What an operation of the wire is: what the HTTP layer must know before it runs one, what it runs with, what it gives.

import type { Readable } from "node:stream";
import type { Failure } from "../../contract/failures.ts";
import type { Message } from "../../contract/messages.ts";
import type { MatrixOperation } from "../../contract/permissions.ts";
import type { Language } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import type { Grant, WriteOperation, WriteRules } from "../access/grant.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Seal } from "../lib/secrets/seal.ts";
import type { TokenSigner } from "../lib/secrets/tokens.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FeedWaiters } from "../records/feed/feed-waiters.ts";
import type { HookTable } from "../records/hooks.ts";
import type { ListSources } from "../records/list/run-list.ts";
import type { ViewCache } from "../records/read/view-cache.ts";
import type { ViewTimes } from "../records/view-times/note-times.ts";
import type { Call } from "../request/call.ts";

/** What lives as long as the process. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly metadata: MetadataStore;
  readonly signer: TokenSigner;
  /** For what is kept secret and must be read again. */
  readonly seal: Seal;
  readonly lists: ListSources;
  readonly views: ViewCache;
  readonly viewTimes: ViewTimes;
  readonly files: FileStore;
  readonly feed: FeedWaiters;
  /** What some record types add to saving and deleting. */
  readonly hooks: HookTable;
  /** Makes this process read an organization's callers anew at once; the others hear of it by a message. */
  readonly forget: (organizationId: string) => void;
  /** Has the values of fields that were deleted for good taken out of the history, while nobody waits. */
  readonly finishPurges: () => void;
}

/** For an answer that is made while it is sent, after its request was let go. */
export interface Afterwards {
  /** Who the caller is by now; throws login_required where its session or key has ended. */
  identify(): Promise<Caller>;
  /** A result or a failure as the JSON text of a response. */
  write(result: JsonResult | Failure): string;
}

export interface OperationContext {
  readonly call: Call;
  /** Undefined only where `authentication` is "none". */
  readonly caller: Caller | undefined;
  /** In which it is answered. */
  readonly language: Language;
  readonly snapshot: Snapshot;
  /** The record type that the call addresses; undefined for operations of a module that has no such type. */
  readonly type: RecordType | undefined;
  /** What the caller was granted, where the operation says what it `writes`. */
  readonly grant: Grant | undefined;
  readonly services: Services;
  readonly request: {
    readonly id: string;
    readonly address: string;
    readonly userAgent: string;
    /** By its lower-case name. */
    header(name: "accept" | "last-event-id" | "host" | "x-forwarded-proto"): string | undefined;
  };
  readonly afterwards: Afterwards;
  /** For what reads its body by itself, which has no turn while it waits for the sender: runs a part of its work in one. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs a stage and reports its duration in the Server-Timing header. */
  readonly time: <T>(stage: string, run: () => Promise<T> | T) => Promise<T>;
}

export interface BodyLimits {
  /** JSON and urlencoded bodies, and all plain values of a multipart body together. */
  readonly bytes: number;
  readonly files: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** JSON lines are left for the operation to read. */
  readonly lines?: boolean;
}

export interface Operation {
  readonly methods: readonly ("GET" | "POST")[];
  readonly authentication: "required" | "none";
  /** false: it writes; refused for read-only API keys, and over cookies. "by GET": any other method writes. */
  readonly reads: boolean | "by GET";
  /** What it takes of a body, where that is not what everybody known may send, or everybody unknown. */
  readonly takes?: BodyLimits;
  /** It reads bodies of JSON lines by itself, as they come. */
  readonly takesLines?: true;
  /** The column of the role matrix that must allow it. */
  readonly matrix?: MatrixOperation;
  /** What it does to records of the type: the matrix and the type itself must allow it. */
  readonly writes?: WriteOperation;
  /** The same for what only asks, where that is less ("by GET"). */
  readonly askMatrix?: MatrixOperation;
  /**
   * It keeps within what the caller may do with each record type by itself, so it is open to API keys that are limited. Those that say
   * what of the matrix they need are anyway; all others are not.
   */
  readonly keepsLimits?: true;
  /** Whether there is anything in it for the caller, where the matrix alone does not tell: what has nothing is not described. */
  readonly serves?: (caller: Caller, type: RecordType, snapshot: Snapshot, rules: WriteRules) => boolean;
  run(context: OperationContext): Promise<OperationResult>;
}

interface ResultHead {
  readonly status?: number;
  /** Lower-case names. With an `etag`, a GET that already has it is answered 304. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonResult extends ResultHead {
  readonly message?: readonly Message[];
  /** Joins the envelope; its keys win over the envelope's own. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Further keys of the body whose values are JSON text already: what is compiled once is written once. */
  readonly written?: Readonly<Record<string, string | Buffer>>;
  /** This very object is given again to the same caller: its bytes are worth keeping as long as it is. */
  readonly lasting?: true;
}

/** A response that is complete as it is: a list that was serialized on its way (envelope included), or a file. */
export interface RawResult extends ResultHead {
  readonly raw: {
    readonly contentType: string;
    readonly content: string | Buffer | Readable;
    /** Made while it is sent: each piece goes out at once, not when a compressor has enough of them. */
    readonly live?: true;
  };
}

export type OperationResult = JsonResult | RawResult;
