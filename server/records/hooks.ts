// What a few record types add to the ordinary way of saving and deleting: computed fields, further checks, what must
// follow in the same transaction. A table of small objects, filled in controllers/hooks.ts; most types have no entry.
import type { Message, MessagesByField } from "../../contract/messages.ts";
import { refreshAcl } from "../access/acl-sets.ts";
import type { Caller } from "../access/caller.ts";
import type { WriteOperation, WriteRule } from "../access/grant.ts";
import { lockAccess } from "../access/principal-lookup.ts";
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import type { Uploads } from "../files/uploads.ts";
import { childTypeOf, ownedAssociations } from "../metadata/associations.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { settleComputed } from "./computed/settle.ts";
import type { ColumnValues } from "./read/row-values.ts";

/** What an answer says beside the record. */
export interface Said {
  readonly messages: Set<Message>;
  /** By the id of the user or invitation. Shown in this one answer; never kept with an Idempotency-Key. */
  readonly invitationLinks: Record<string, string>;
}

/** One request's transaction and whom it is for. */
export interface Work {
  readonly transaction: Queryable;
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  readonly hooks: HookTable;
  /** What of access this work has changed; settled once, at its end. */
  readonly accessChanges: Set<AccessChange>;
  /** Undefined where nobody reads an answer. */
  readonly said?: Said | undefined;
  /** Files that came with the request. */
  readonly uploads?: Uploads | undefined;
  /** The bulk operation that this is part of: history says so, and undo finds its way by it. */
  readonly jobId?: string;
  /** What is saved is in force elsewhere, or was here: options that its conditions name may be gone. */
  readonly comesBack?: boolean;
}

/** The same for what gives access sets, whoever does it. */
export const aclWork = ({ transaction, snapshot, caller }: Work) => ({
  transaction,
  snapshot,
  organizationId: caller.organizationId,
});

/** `callers`: who may do what by their roles. `sets`: also what recipes come to. */
export type AccessChange = "callers" | "sets";

export interface RecordChange {
  readonly type: RecordType;
  /** Undefined before a new record is written. */
  readonly id: string | undefined;
  readonly operation: WriteOperation;
  /** Column texts; undefined where there was or will be no record. */
  readonly before: ColumnValues | undefined;
  readonly after: ColumnValues | undefined;
  /** What its sender gave, by field; undefined for who only takes it back to what it was. */
  readonly sent?: ReadonlyMap<string, readonly (string | null)[]> | undefined;
}

export interface RecordHooks extends WriteRule {
  readonly changesAccess?: AccessChange;
  /** Fields whose change also changes what recipes come to, or what those are called whom a record waits for. */
  readonly setsFields?: readonly string[];
  /** Bookkeeping: its references never stand in the way of a deletion. */
  readonly bookkeeping?: boolean;
  /** Fields that are worked out from the others. */
  readonly computes?: readonly string[];
  /** The columns that they are worked out from; undefined: any. */
  readonly computesFrom?: readonly string[];
  compute?(values: ColumnValues): ColumnValues;
  /** What of the stored values stays, although its sender left it out without knowing of it. */
  carry?(work: Work, before: ColumnValues, after: ColumnValues): ColumnValues;
  /** Further columns of a new row. */
  prepare?(work: Work, columns: ColumnValues): Promise<ColumnValues>;
  /** What is wrong, by field name; none when all is well. */
  check?(work: Work, change: RecordChange): Promise<MessagesByField>;
  /** In place of "… is taken", by field name, where another record has a value that must be unique. */
  taken?(work: Work, change: RecordChange): Promise<MessagesByField>;
  /** What must happen along with it, in the same transaction. */
  follow?(work: Work, change: RecordChange & { readonly id: string }): Promise<void>;
}

export type HookTable = Readonly<Record<RecordTypeKey, RecordHooks>>;

const noHooks: RecordHooks = {};

export const hooksOf = (work: Pick<Work, "hooks">, type: RecordType): RecordHooks => work.hooks[type.key] ?? noHooks;

/** Whether writing a record of this type, or what it owns, can change what recipes come to. */
function changesSets(work: Work, type: RecordType, seen: ReadonlySet<RecordType> = new Set()): boolean {
  if (hooksOf(work, type).changesAccess === "sets") return true;
  if (seen.has(type)) return false;
  const further = new Set([...seen, type]);
  return ownedAssociations(type).some((owned) => changesSets(work, childTypeOf(work.snapshot, owned), further));
}

/**
 * Before anything is locked or written: two changes that make new sets first and refresh all later would wait for each
 * other. `written`: the names of the fields that will be.
 */
export async function lockForChange(
  work: Work,
  type: RecordType,
  written: (name: string) => boolean = () => false,
): Promise<void> {
  const touched = hooksOf(work, type).setsFields?.some(written) ?? false;
  if (touched || changesSets(work, type)) await lockAccess(work.transaction, work.caller.organizationId, "exclusive");
}

/** There is something to wait for only where the type itself does something along. */
export function followChange(work: Work, change: RecordChange & { readonly id: string }): Promise<void> | undefined {
  const hooks = hooksOf(work, change.type);
  if (hooks.changesAccess) work.accessChanges.add(hooks.changesAccess);
  const { before, after } = change;
  if (before && hooks.setsFields?.some((name) => (before[name] ?? null) !== (after?.[name] ?? null))) {
    work.accessChanges.add("sets");
  }
  return hooks.follow?.(work, change);
}

/** After everything was written: what of access has changed, and computed fields. */
export async function settle(work: Work): Promise<void> {
  const { transaction, snapshot, caller } = work;
  await settleAccess(work);
  await settleComputed({ transaction, snapshot, organizationId: caller.organizationId });
}

async function settleAccess(work: Work): Promise<void> {
  const { transaction, snapshot, caller, accessChanges } = work;
  if (accessChanges.has("sets")) await refreshAcl(transaction, snapshot, caller.organizationId);
  else if (accessChanges.has("callers")) await notify(transaction, "dossier_access", caller.organizationId);
}
