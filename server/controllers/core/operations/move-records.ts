// older_records: how many records still go by older versions of a workflow, by stage. move_records: brings them to its newest
// one, each to the stage of the same key or to the one that was named for it. For administrators; a bulk operation like any other.

import { Failure } from "../../../../contract/failures.ts";
import { type Message, say, verb } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { grantBulk } from "../../../access/grant.ts";
import { authorize } from "../../../access/matrix.ts";
import type { Queryable } from "../../../database/database.ts";
import { ident, type Sql, sql } from "../../../database/sql.ts";
import { startBulk } from "../../../jobs/start-bulk.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../../metadata/snapshot.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import { answerOf } from "../../../operations/bulk.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { runWrite } from "../../../operations/write.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { treeOrNothing } from "../../../request/body.ts";
import { shown, type Tree, textAt } from "../../../request/tree.ts";
import { workflowInForce } from "../../../workflow/find-workflow.ts";
import type { Stage, Workflow } from "../../../workflow/workflow.ts";

/** Records of one stage and version. */
interface Group {
  readonly node: string;
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly count: number;
}

export const olderRecords: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { snapshot, services } = context;
    const { caller, id } = required(context);
    const newest = await newestOf(context, services.database, id, sql``);
    const type = requireType(snapshot, newest.type);
    const groups = await readGroups(services.database, caller.organizationId, type, newest);
    const stages = newest.stages.map(({ key, name }) => ({ key, name: snapshot.words(name) }));
    return {
      body: {
        data: {
          controller: newest.type,
          version: newest.version,
          stages,
          moving: moves(snapshot, groups, targets(newest)),
        },
      },
    };
  },
};

export const moveRecords: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  run: (context) => {
    const { caller, id } = required(context);
    const { snapshot, call } = context;
    const sent = treeOrNothing(call.parameters.stages, "stages");
    const confirmed = textAt(call.parameters, "version");
    return runWrite(context, async (work) => {
      // Held until the end: no newer version comes in between.
      const newest = await newestOf(context, work.transaction, id, sql`for share`);
      if (confirmed !== undefined && confirmed !== newest.version) {
        throw new Failure("newer_version", { with: { version: newest.version } });
      }
      const type = requireType(snapshot, newest.type);
      const groups = await readGroups(work.transaction, caller.organizationId, type, newest);
      const nodes = await nodesOf(work.transaction, caller.organizationId, newest);
      const target = targets(newest, nodes, sent);
      if (textAt(call.parameters, "is_confirm") !== "1") {
        const moving = moves(snapshot, groups, target);
        throw new Failure("not_confirmed", { with: { reason: say("nothing_moved") }, body: { data: { moving } } });
      }
      const missing = groups.filter(({ key }) => !target.has(key));
      if (missing.length > 0) {
        const byField = Object.fromEntries(
          missing.map(({ key, name, count }) => [
            `workflows.stages.${key}`,
            [say("stage_missing", { stage: name, version: newest.version, count })],
          ]),
        );
        throw new Failure("invalid", { errors: Object.values(byField).flat(), byField });
      }
      // Of all of them: many records take their time, and go on meanwhile.
      const stages = Object.fromEntries(
        nodes.flatMap(({ id: node, key }) => {
          const to = target.get(key);
          return to ? [[node, to.id]] : [];
        }),
      );
      const started = await startBulk(work, {
        kind: "move",
        grant: grantBulk(caller, type, "edit", work.hooks),
        selection: { matching: onTheirWay(caller.organizationId, type, newest, Object.keys(stages)) },
        input: { atomic: false, move: { version: newest.version, stages } },
      });
      return async () => answerOf(type, "move", started, context.language);
    });
  },
};

function required(context: OperationContext): { readonly caller: Caller; readonly id: string } {
  const { caller, type: workflows } = addressed(context);
  if (!caller.isAdministrator) {
    throw new Failure("administrator_required", { with: { operation: verb("move"), type: workflows.plural } });
  }
  return { caller, id: requireRecordId(workflows, requireId(context)) };
}

async function newestOf(context: OperationContext, db: Queryable, id: string, lock: Sql): Promise<Workflow> {
  const { caller, type: workflows } = addressed(context);
  const row = await db.row(sql`
    select w.version::text as version from core__workflows w
    where w.organization_id = ${caller.organizationId}::bigint and w.id = ${id}::uuid and w.deleted = 0 ${lock}`);
  const pointer = `${id} ${row?.version}`;
  const newest = row && (await workflowInForce(db, context.snapshot, caller.organizationId, pointer));
  if (!newest) throw noSuchRecord(workflows);
  // How many records there are is told to a key that may look at them.
  authorize(caller, requireType(context.snapshot, newest.type), "view");
  return newest;
}

const moves = (snapshot: Snapshot, groups: readonly Group[], target: ReadonlyMap<string, Stage>) =>
  groups.map(({ key, name, version, count }) => {
    const to = target.get(key);
    const [stage, next] = [snapshot.words(name), to ? snapshot.words(to.name) : null];
    return { version, stage: key, __stage: stage, count, to: to?.key ?? null, __to: next };
  });

async function readGroups(
  db: Queryable,
  organizationId: string,
  type: RecordType,
  { id, version }: Workflow,
): Promise<Group[]> {
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select n.id::text as node, n.key, n.name, r.workflow_version::text as version, count(*)::text as count
    from ${ident(type.table)} r
    join core__workflow_nodes n on n.organization_id = ${org} and n.id = r.current_stage and n.workflow_id = ${id}::uuid
    where r.organization_id = ${org} and r.deleted = 0 and r.workflow_version < ${version}::bigint
    group by n.id, n.key, n.name, r.workflow_version, n.sequence order by r.workflow_version, n.sequence, n.key`);
  return rows.map((row) => ({
    node: row.node ?? "",
    key: row.key ?? "",
    name: row.name ?? "",
    version: row.version ?? "",
    count: Number(row.count),
  }));
}

const onTheirWay = (
  organizationId: string,
  type: RecordType,
  { version }: Workflow,
  nodes: readonly string[],
): Sql => sql`
  select r.id::text from ${ident(type.table)} r
  where r.organization_id = ${organizationId}::bigint and r.deleted = 0 and r.workflow_version < ${version}::bigint
    and r.current_stage = any(${nodes}::uuid[]) order by r.id`;

interface Node {
  readonly id: string;
  readonly key: string;
}

/** The stages of all its versions. */
async function nodesOf(db: Queryable, organizationId: string, { id }: Workflow): Promise<readonly Node[]> {
  const rows = await db.rows(sql`
    select id::text as id, key from core__workflow_nodes
    where organization_id = ${organizationId}::bigint and workflow_id = ${id}::uuid order by sequence, key`);
  return rows.map((row) => ({ id: row.id ?? "", key: row.key ?? "" }));
}

/** The stage of the newest version for each key: the one that was named, else the one of that key. */
function targets(newest: Workflow, nodes: readonly Node[] = [], sent: Tree = {}): ReadonlyMap<string, Stage> {
  const refuse = (key: string, reason: Message): Failure =>
    new Failure("malformed_parameter", { with: { name: `stages[${shown(key)}]`, reason } });
  const found = new Map(newest.byKey);
  for (const [key, to] of Object.entries(sent)) {
    if (!nodes.some((node) => node.key === key)) throw refuse(key, say("stage_unknown"));
    const stage = typeof to === "string" ? newest.byKey.get(to) : undefined;
    if (!stage) throw refuse(key, say("must_be_one_of", { options: newest.stages.map((one) => one.key) }));
    found.set(key, stage);
  }
  return found;
}
