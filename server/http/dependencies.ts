// What the HTTP layer needs from everything above it. main.ts wires the real ones, tests wire small fakes.
import type { FastifyBaseLogger } from "fastify";
import type { Recognized } from "../access/authenticate.ts";
import type { Caller } from "../access/caller.ts";
import type { Grant, Needs } from "../access/grant.ts";
import type { Config } from "../config.ts";
import type { Tracer } from "../lib/tracing/tracer.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { Operation, Services } from "../operations/operation.ts";
import type { Figures } from "./metrics.ts";
import type { Throttle } from "./throttle.ts";

export interface FoundOperation {
  readonly operation: Operation;
  readonly type?: RecordType | undefined;
}

export interface AppDependencies {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly services: Services;
  /** The built web app; it need not exist. */
  readonly webRoot: string;
  snapshot(): Snapshot;
  /** Reads the metadata anew, where another process may have changed it. */
  reload(): Promise<void>;
  findOperation(
    snapshot: Snapshot,
    module: string,
    controller: string,
    operation: string,
  ): FoundOperation | "unknown_module" | "unknown_controller" | "unknown_operation";
  /** Throws the Failure login_required for a token that names nobody. */
  authenticate(token: string): Promise<Recognized>;
  /** Throws the Failure operation_forbidden; gives what was granted to whoever writes records. */
  admit(caller: Caller, type: RecordType | undefined, needs: Needs): Grant | undefined;
  readonly throttle: Throttle;
  /** Undefined: no traces are made. */
  readonly tracer?: Tracer | undefined;
  readonly figures: Figures;
  /** The process is about to end: it serves what still comes, and asks every connection to go elsewhere. */
  isDraining(): boolean;
  /** Database and migrations are ready. Operations ask until it was true once; /readyz asks every time. */
  ready(): Promise<boolean>;
}
