// The package @dossier/client: what programs import.
export type { Client } from "./client.ts";
export { type ConnectOptions, connect, type Dossier, type ListChoices, type SaveOptions } from "./program/connect.ts";
export type { FollowOptions, MirrorStep } from "./program/following.ts";
export type { ListOptions, Where } from "./program/listing.ts";
export { type BulkDone, JobEnded, type ManySaved, type RowFailure, type Selection } from "./program/many.ts";
export type { Retry, RetryPolicy } from "./program/retries.ts";
export type { AnyTypes, Path, Row, Sent, Shape, Shapes } from "./program/shapes.ts";
export type { Credentials } from "./program/sign-in.ts";
export type { FollowedChange } from "./records/changes.ts";
export type { Job } from "./records/jobs.ts";
export { readInstant, writeInstant } from "./transport/instant.ts";
export type { Call, CallOptions, WireFile } from "./transport/transport.ts";
export { Unreachable, WireFailure } from "./transport/wire-failure.ts";
