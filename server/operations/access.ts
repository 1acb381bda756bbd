// access: who may do what with a record, and why. share, unshare: passing rights on by hand and taking them back. All
// three are for those who may edit the record; what of it one may pass on is the shares' own rule.

import { Failure } from "../../contract/failures.ts";
import { type Message, say, verb } from "../../contract/messages.ts";
import { recordRights } from "../../contract/permissions.ts";
import { namedIn, parseRecipe } from "../access/acl.ts";
import type { Caller } from "../access/caller.ts";
import { explainAccess, type Holding } from "../access/explain.ts";
import { factIds, readRecordFacts } from "../access/facts/record-facts.ts";
import { grantWithinLimits } from "../access/grant.ts";
import { mayKnowNames } from "../access/keys/limits.ts";
import { mayOperate } from "../access/matrix.ts";
import { readFacts, readPolicies } from "../access/principal-lookup.ts";
import { type NamedPrincipal, readPrincipalNames } from "../access/principal-names.ts";
import { principalsWhoHold } from "../access/readers.ts";
import type { Queryable } from "../database/database.ts";
import { instant } from "../lib/instant.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { planSave } from "../plan/plan-write.ts";
import { principalsNamed, recipeOfSet, rightsOfRecord, sharesOfRecord } from "../query/record-access.ts";
import type { Work } from "../records/hooks.ts";
import { deleteRecord } from "../records/save/delete-record.ts";
import { saveRecord } from "../records/save/save-records.ts";
import { type Tree, textAt } from "../request/tree.ts";
import { addressed, requireId } from "./addressed.ts";
import type { JsonResult, Operation, OperationContext } from "./operation.ts";
import { runWrite } from "./write.ts";

const SHARES = "access_controls/shares";
const MOST_CANDIDATES = 12;

/** The record, for somebody who may edit it; to others it is forbidden, or not there. */
async function requireEditable(db: Queryable, caller: Caller, type: RecordType, sentId: string) {
  const id = requireRecordId(type, sentId);
  if (type.scope === "shared") throw noSuchRecord(type);
  const record = await db.row(rightsOfRecord(caller, type, id));
  if (record?.deleted !== "0") throw noSuchRecord(type);
  if (record.is_edit !== "1") {
    const of = say("this_record", { type: type.label });
    throw new Failure("operation_forbidden", { with: { operation: verb("see_access"), type: of } });
  }
  return { id, aclId: record.acl_id ?? "0" };
}

/** Who holds which right on records with an access set by their own recipe, and why. */
export async function holdingsOf(
  db: Queryable,
  snapshot: Snapshot,
  { organizationId }: Caller,
  type: RecordType,
  aclId: string,
): Promise<Holding[]> {
  const set = await db.row(recipeOfSet(organizationId, aclId));
  const recipe = parseRecipe(type.key, set?.recipe ?? "[null,null,[],[[],[],[]]]");
  const facts = await readFacts(db, organizationId, namedIn([recipe]));
  const policy = (await readPolicies(db, organizationId))(requireType(snapshot, type.key));
  const ids = factIds(await readRecordFacts(db, organizationId, true), type);
  return explainAccess(policy, recipe, facts, instant(), ids);
}

async function describeAccess(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  type: RecordType,
  record: { readonly id: string; readonly aclId: string },
) {
  const shares = await db.rows(sharesOfRecord(caller.organizationId, type, record.id));
  const held = await db.rows(principalsWhoHold(caller.organizationId, type, record.aclId));
  const administrators = [...new Set(held.flatMap((row) => (row.passes === "1" ? [Number(row.principal)] : [])))];
  const holdings = reasonsOf(held, await holdingsOf(db, snapshot, caller, type, record.aclId));
  const all = await readPrincipalNames(db, caller.organizationId, [
    ...holdings.map(({ principal }) => principal),
    ...shares.map((share) => Number(share.principal_id)),
    ...administrators,
  ]);
  const names = new Map([...all].map(([id, one]) => [id, mayKnowNames(caller, one.kind) ? one : { ...one, name: "" }]));
  return {
    holders: presentHolders(holdings, administrators, names),
    shares: shares.map((share) => ({
      id: share.id,
      ...presentPrincipal(Number(share.principal_id), names),
      rights: share.rights,
      until: share.until ?? null,
    })),
  };
}

/** What is explained and held; what is held without a reason of its own comes from the record that this one is attached to. */
function reasonsOf(
  held: readonly Readonly<Record<string, string | null | undefined>>[],
  explained: readonly Holding[],
): Holding[] {
  const named = held.filter((row) => row.passes !== "1");
  const isHeld = ({ principal, right }: Holding) =>
    named.some((row) => row.right === right && Number(row.principal) === principal);
  const own = explained.filter(isHeld);
  const others = recordRights.flatMap((right) =>
    named
      .filter((row) => row.right === right && !own.some(({ principal }) => principal === Number(row.principal)))
      .map((row): Holding => ({ principal: Number(row.principal), right, reason: "record", until: null })),
  );
  return [...own, ...others];
}

const presentPrincipal = (principal: number, names: ReadonlyMap<number, NamedPrincipal>) => {
  const { kind, name, id } = names.get(principal) ?? { kind: "user", name: "", id: null };
  return { principal_id: String(principal), kind, name, principal_record_id: id };
};

const kindOrder = ["user", "group", "role", "organization", "everyone"];

function presentHolders(
  holdings: readonly Holding[],
  administrators: readonly number[],
  names: ReadonlyMap<number, NamedPrincipal>,
) {
  const principals = [...new Set([...holdings.map(({ principal }) => principal), ...administrators])];
  return principals
    .filter((principal) => names.has(principal))
    .map((principal) => {
      const own = holdings.filter((one) => one.principal === principal);
      const reasons = own.map(({ right, reason, until }) => ({ right, reason, ...(until === null ? {} : { until }) }));
      const always = ["read", "edit", "delete", "comment"].map((right) => ({ right, reason: "administrator" }));
      return {
        ...presentPrincipal(principal, names),
        reasons: administrators.includes(principal) ? always : reasons,
      };
    })
    .sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || a.name.localeCompare(b.name));
}

/** Users, groups and roles that the caller may see, by a text: whom one can share with. */
async function findPrincipals(db: Queryable, snapshot: Snapshot, caller: Caller, text: string) {
  const kinds = [
    ["user", "access_controls/users"],
    ["group", "access_controls/groups"],
    ["role", "access_controls/roles"],
  ] as const;
  const seen = kinds
    .map(([kind, key]) => [kind, requireType(snapshot, key)] as const)
    .filter(([, type]) => mayOperate(caller, type, "index"));
  if (seen.length === 0) return [];
  const rows = await db.rows(principalsNamed(caller, seen, text, MOST_CANDIDATES));
  return rows.map(({ kind, name, principal_id, id }) => ({ principal_id, kind, name, principal_record_id: id }));
}

export const access: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { database } = context.services;
    const { parameters } = context.call;
    // An empty text is in every name.
    const find = parameters.find === "" ? "" : textAt(parameters, "find");
    // Whom a record that is not there yet could be shared with.
    if (find !== undefined && textAt(parameters, "id") === undefined) {
      const candidates = await findPrincipals(database, context.snapshot, caller, find);
      return { body: { data: { access: { candidates } } } };
    }
    const record = await requireEditable(database, caller, type, requireId(context));
    const described = await describeAccess(database, context.snapshot, caller, type, record);
    const candidates =
      find === undefined ? {} : { candidates: await findPrincipals(database, context.snapshot, caller, find) };
    return { body: { id: record.id, data: { access: { ...described, ...candidates } } } };
  },
};

/** Runs a change of a record's shares and answers with its access as it is then. */
const changeShares = (
  context: OperationContext,
  message: Message,
  change: (work: Work, record: { readonly id: string }) => Promise<unknown>,
): Promise<JsonResult> => {
  const { caller, type } = addressed(context);
  return runWrite(context, async (work) => {
    const record = await requireEditable(work.transaction, caller, type, requireId(context));
    await change(work, record);
    const now = await requireEditable(work.transaction, caller, type, record.id);
    const described = await describeAccess(work.transaction, context.snapshot, caller, type, now);
    return async () => ({ message: [message], body: { id: record.id, data: { access: described } } });
  });
};

/** Whoever may edit a record shares it. */
function addShare(work: Work, sent: Tree): Promise<string> {
  const grant = grantWithinLimits(work.caller, requireType(work.snapshot, SHARES), "add", work.hooks);
  const plan = planSave(work.snapshot, grant, { id: undefined, sent });
  return saveRecord(work, { grant, operation: "add" }, plan);
}

export const share: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  run: (context) => {
    const { type } = addressed(context);
    const { parameters } = context.call;
    const [principal, rights = "read", until] = ["principal_id", "rights", "until"].map((name) =>
      textAt(parameters, name),
    );
    return changeShares(context, say("shared", { type: type.label }), (work, { id }) =>
      addShare(work, {
        related_type: type.key,
        related_id: id,
        principal_id: principal ?? null,
        rights,
        until: until ?? null,
      }),
    );
  },
};

export const unshare: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  run: (context) => {
    const { type } = addressed(context);
    const shareId = textAt(context.call.parameters, "share");
    return changeShares(context, say("unshared", { type: type.label }), async (work, { id }) => {
      const shares = requireType(context.snapshot, SHARES);
      const all = await work.transaction.rows(sharesOfRecord(work.caller.organizationId, type, id));
      const found = all.find((one) => one.id === shareId);
      if (!found?.id) throw noSuchRecord(shares);
      const grant = grantWithinLimits(work.caller, shares, "delete", work.hooks);
      await deleteRecord(work, grant, found.id, { confirmed: true, override: false });
    });
  },
};
