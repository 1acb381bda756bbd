// Takes a design; applies it in one transaction by the ways in which people design: record types by the designer's own save, everything
// else as records with their rules. All of it is in force, or nothing. What was before is kept to go back by.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { audit } from "../access/audit.ts";
import type { Caller } from "../access/caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isGivenUp } from "../database/errors.ts";
import { apartFromClient, currentScope } from "../database/scope.ts";
import { sql } from "../database/sql.ts";
import type { WithDesign } from "../metadata/save-designs.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { Designing, MetadataStore } from "../metadata/store.ts";
import { requireTransitionFields } from "../metadata/uses/needed-by-transitions.ts";
import type { HookTable } from "../records/hooks.ts";
import { seedNavigation } from "../seed/shared-data.ts";
import { type Affected, type ReadUses, readAffected, usesTold } from "./affected-uses.ts";
import { type Content, type Design, type DesignItem, isSameJson, nameOf } from "./design.ts";
import { type DesignPlan, type Planned, type PlanOptions, planDesign, type Step } from "./plan-design.ts";
import { readStored, type StoredItem } from "./read-stored.ts";
import { applyRecords } from "./records/apply-records.ts";
import { applyNavigation, applyThing, removeThing, takeBackNavigation } from "./save-things.ts";
import { settleDesign } from "./settle-design.ts";
import { cutTo } from "./translations/translation-list.ts";

export interface Designer {
  readonly database: Database;
  readonly metadata: MetadataStore;
  readonly hooks: HookTable;
  readonly caller: Caller;
  /** Where the request came from, for the audit log. */
  readonly address?: string | undefined;
  /** What belongs to every change of a record type. */
  readonly along: WithDesign;
  readonly uses: ReadUses;
}

export interface ApplyOptions {
  readonly prune?: boolean;
  readonly remove?: readonly string[];
  /** Values may leave their fields, records their type; they are kept aside. */
  readonly allowLoss?: boolean;
  /** The fingerprint of the plan that somebody agreed to. */
  readonly expects?: string | undefined;
  /** Of the entry that it takes back. */
  readonly rollsBack?: string;
}

/** For so long it is looked for what other organizations have. */
const OTHERS_MS = 5_000;
/** And for what the own one has: whoever opens a list of these types waits meanwhile. */
const OWN_MS = 2_000;

/** Does all of it and takes it back: what applying refuses is refused in the same words. Lost values and missing people are only told. */
export async function previewDesign(
  designer: Designer,
  design: Design,
  options: ApplyOptions = {},
): Promise<DesignPlan> {
  const { database, metadata, uses } = designer;
  const rehearsed = await metadata.rehearse(async (designing) => {
    const { transaction, limit, snapshot } = designing;
    const planned = await plan(designer, transaction, design, { ...options, limit });
    if (planned.plan.missing.length > 0) return { planned };
    await carryOut(designer, designing, design, planned, options);
    const types = { snapshot: metadata.current(), after: await snapshot() };
    const until = Math.min(limit?.until ?? Number.POSITIVE_INFINITY, performance.now() + OWN_MS);
    const question = { ...types, db: transaction, whose: "own", until } as const;
    await transaction.script(`savepoint looking; set local statement_timeout = ${OWN_MS}`);
    const own = await asFarAsFound(
      () => readAffected(uses, planned, question),
      () => transaction.script("rollback to savepoint looking"),
    );
    return { planned, types, own };
  });
  const { planned, types, own } = rehearsed;
  if (!types) return planned.plan;
  // The request may have waited for as long as it had.
  const others = await apartFromClient(() => {
    const question = { ...types, db: database, whose: "others", until: performance.now() + OTHERS_MS } as const;
    return asFarAsFound(() => readAffected(uses, planned, question));
  }, currentScope()?.signal);
  return { ...planned.plan, ...usesTold(own, others) };
}

/** The plan is of use without them. */
async function asFarAsFound(look: () => Promise<Affected>, giveUp?: () => Promise<void>): Promise<Affected> {
  try {
    return await look();
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    await giveUp?.();
    return { found: [], isComplete: false };
  }
}

export async function applyDesign(designer: Designer, design: Design, options: ApplyOptions = {}): Promise<DesignPlan> {
  const { database, metadata } = designer;
  const result = await metadata.design(async (designing) => {
    const planned = await plan(designer, designing.transaction, design, options);
    refuse(planned.plan, options);
    await carryOut(designer, designing, design, planned, options);
    return planned.plan;
  });
  await settleDesign(database, metadata);
  return result;
}

const plan = ({ metadata, caller }: Designer, db: Queryable, design: Design, options: PlanOptions): Promise<Planned> =>
  planDesign(db, metadata, metadata.current(), caller.organizationId, design, options);

async function carryOut(
  designer: Designer,
  { transaction, save, remove, snapshot }: Designing,
  design: Design,
  { steps, requests, stored }: Planned,
  options: ApplyOptions,
): Promise<void> {
  const { metadata, caller, hooks, along } = designer;
  const changing = steps.filter(({ action }) => action !== "unchanged");
  if (changing.length === 0 && options.rollsBack === undefined) return;
  if (requests.length > 0) await save(requests, along);
  const after = await snapshot();
  await seedNavigation(transaction, after);
  const work = () => ({
    transaction,
    snapshot: after,
    caller,
    hooks,
    accessChanges: new Set<"callers" | "sets">(),
  });
  for (const step of changing) {
    await told(step.item, async () => {
      if (step.action === "remove") await removeThing(work(), step);
      else await applyThing(work(), step, stored.people);
    });
  }
  const arranged = changing.filter(({ item }) => item.kind === "navigation");
  const navigation = arranged.filter(({ action }) => action !== "remove");
  if (navigation.length > 0) await applyNavigation(work(), navigation);
  await applyRecords(
    work,
    changing.filter(({ item }) => item.kind === "records").map(({ item }) => item),
  );
  const going = changing.filter(({ item, action }) => item.kind === "record_types" && action === "remove");
  const keys = going.map(({ item }) => item.key);
  if (options.rollsBack !== undefined && arranged.length > 0) await takeBackNavigation(work(), arranged, new Set(keys));
  if (keys.length > 0) await remove(keys, along);
  // Workflows are as the design has them by now.
  for (const { item } of changing.filter(({ item: { kind } }) => kind === "record_types" || kind === "extensions")) {
    const [was, is] = [metadata.current().types.get(item.key), after.types.get(item.key)];
    if (was && is) await requireTransitionFields(transaction, caller.organizationId, was, is);
  }
  await keep(transaction, designer, { design, changing, after }, options);
}

/** What is wrong with one thing says which. */
async function told(item: DesignItem, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reasons = error.detail.errors ?? Object.values(error.detail.byField ?? {}).flat();
    const faults = (reasons.length > 0 ? reasons : [error.said]).map((reason) =>
      say("in_key", { key: nameOf(item), reason }),
    );
    throw new Failure("design_refused", { with: { faults }, errors: faults, cause: error });
  }
}

function refuse({ losses, missing, fingerprint }: DesignPlan, { allowLoss = false, expects }: ApplyOptions): void {
  const conflict = (reason: Message, errors: readonly Message[] = []) =>
    new Failure("conflict", { with: { reason }, ...(errors.length === 0 ? {} : { errors: [reason, ...errors] }) });
  if (expects !== undefined && expects !== fingerprint) throw conflict(say("design_plan_outdated"));
  if (missing.length > 0) {
    throw conflict(
      say("design_people_missing"),
      missing.map((one) => say("design_person_missing", { thing: one.in, name: one.name.replace(":@", " ") })),
    );
  }
  if (losses.length > 0 && !allowLoss) {
    throw conflict(
      say("design_loses"),
      losses.map(({ type, field, values }) =>
        field === null
          ? say("design_loses_type", { type, values })
          : say("design_loses_field", { type, field, values }),
      ),
    );
  }
}

const MOST_KEPT = 20;

async function keep(
  transaction: Queryable,
  { caller, metadata, address }: Designer,
  {
    design,
    changing,
    after,
  }: { readonly design: Design; readonly changing: readonly Step[]; readonly after: Snapshot },
  { rollsBack }: ApplyOptions,
): Promise<void> {
  const org = sql`${caller.organizationId}::bigint`;
  const now = rollsBack === undefined ? (await readStored(transaction, after, caller.organizationId)).items : [];
  const items = changing
    .filter(({ item }) => item.kind !== "records")
    .map(({ item, stored, action }): KeptItem => {
      const { kind, key } = item;
      const after = action === "remove" ? null : contentOf(now, kind, stored?.key ?? key);
      // Other labels of the language are none of its business.
      if (kind === "translations")
        return { kind, key, before: cutTo(stored?.content, item.content), after: cutTo(after, item.content) };
      if (action === "add") return { kind, key, before: null, after };
      return { kind, key: stored?.key ?? key, before: stored?.content ?? null, after };
    });
  if (rollsBack === undefined) {
    await transaction.run(sql`
      insert into metadata__design_applies (organization_id, name, user_id, items)
      values (${org}, ${design.name}, ${caller.userId}::bigint, ${JSON.stringify(items)}::jsonb)`);
    await transaction.run(sql`
      delete from metadata__design_applies where organization_id = ${org} and id not in (
        select id from metadata__design_applies where organization_id = ${org} order by id desc limit ${MOST_KEPT}::integer)`);
  } else {
    await transaction.run(sql`
      update metadata__design_applies set rolled_back = now() at time zone 'utc'
      where organization_id = ${org} and id = ${rollsBack}::bigint`);
  }
  const count = (wanted: Step["action"]) => String(changing.filter(({ action }) => action === wanted).length);
  await audit(transaction, metadata.current(), {
    organizationId: caller.organizationId,
    event: rollsBack === undefined ? "design_applied" : "design_rolled_back",
    userId: caller.userId,
    userName: caller.userName,
    address,
    subject: { type: "metadata/designs", id: design.name.slice(0, 100), name: design.name },
    detail: {
      added: count("add"),
      changed: count("change"),
      removed: count("remove"),
      things: changing.slice(0, 100).map(({ item, action }) => `${action} ${item.kind} ${nameOf(item)}`),
    },
  });
}

const contentOf = (items: readonly StoredItem[], kind: DesignItem["kind"], key: string): Content | null =>
  items.find((one) => one.kind === kind && one.key === key && !one.isDeleted)?.content ?? null;

interface KeptItem {
  readonly kind: DesignItem["kind"];
  readonly key: string;
  readonly before: Content | null;
  /** As the apply left it; entries of earlier versions don't say. */
  readonly after?: Content | null;
}

/** The design as it was before the last apply that is in force; undefined where there is none. */
export async function readLastApply(db: Queryable, organizationId: string) {
  const row = await db.row(sql`
    select id::text as id, name, applied::text as applied, items::text as items from metadata__design_applies a
    where organization_id = ${organizationId}::bigint and rolled_back is null order by a.id desc limit 1`);
  if (!row) return undefined;
  // Written by `keep` alone.
  const items = JSON.parse(row.items ?? "[]") as readonly KeptItem[];
  const design: Design = {
    name: row.name ?? "",
    description: "",
    items: items.flatMap(({ kind, key, before }): DesignItem[] =>
      before === null ? [] : [{ kind, key, content: before }],
    ),
  };
  const remove = items.flatMap(({ kind, key, before }) => (before === null ? [`${kind} ${key}`] : []));
  return { id: row.id ?? "", name: row.name ?? "", applied: row.applied ?? "", design, remove, items };
}

export interface RollBackOptions {
  readonly allowLoss?: boolean;
  /** Also where somebody changed something since. */
  readonly override?: boolean;
  /** Only tells what it would do. */
  readonly rehearses?: boolean;
}

/** Things that are given as they were before; what was added goes. */
export async function rollBack(
  designer: Designer,
  { allowLoss = false, override = false, rehearses = false }: RollBackOptions = {},
): Promise<DesignPlan> {
  const last = await readLastApply(designer.database, designer.caller.organizationId);
  if (!last) throw new Failure("conflict", { with: { reason: say("no_design_to_roll_back") } });
  if (!override) await requireSameSince(designer, last.items);
  const options = { remove: last.remove, allowLoss, rollsBack: last.id };
  return rehearses ? previewDesign(designer, last.design, options) : applyDesign(designer, last.design, options);
}

/** What somebody changed after the apply would be lost without anybody deciding it. */
async function requireSameSince({ database, metadata, caller }: Designer, items: readonly KeptItem[]): Promise<void> {
  const { items: now } = await readStored(database, metadata.current(), caller.organizationId);
  const changed = items.filter(({ kind, key, after }) => {
    if (after === undefined) return false;
    const is = contentOf(now, kind, key);
    return !isSameJson(kind === "translations" && after ? cutTo(is, after) : is, after);
  });
  if (changed.length === 0) return;
  const reason = say("design_changed_since");
  const names = changed
    .slice(0, MOST_TOLD)
    .map(({ kind, key, before, after }) =>
      say("own_words", { text: nameOf({ kind, key, content: after ?? before ?? {} }) }),
    );
  throw new Failure("conflict", { with: { reason }, errors: [reason, ...names] });
}

const MOST_TOLD = 50;
