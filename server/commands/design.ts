// `dossier design`: takes its words and the settings; exports the design of an organization, shows what another would change, applies it, and
// goes back to how it was before. Whoever runs it runs the service.
import { parseArgs } from "node:util";
import { Failure } from "../../contract/failures.ts";
import { write, writeAll } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import { readPerson } from "../access/read-caller.ts";
import { reachDatabase } from "../backup/reach-database.ts";
import type { Config } from "../config.ts";
import { recordHooks } from "../controllers/hooks.ts";
import { withGuardAndAudit } from "../controllers/metadata/audit-design.ts";
import { usesFor } from "../controllers/metadata/field-uses.ts";
import { type Database, openDatabase, type Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { sql } from "../database/sql.ts";
import { applyDesign, type Designer, previewDesign, readLastApply, rollBack } from "../designs/apply-design.ts";
import { type Design, DesignFileFault } from "../designs/design.ts";
import { readDesignAt, writeDesignAt } from "../designs/design-files.ts";
import { exportDesign } from "../designs/export-design.ts";
import type { AffectedUse, DesignPlan } from "../designs/plan-design.ts";
import { readStarter, starterNames } from "../designs/starters.ts";
import { operatorId } from "../identity/operator.ts";
import { type MetadataStore, openMetadata } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { requireKnownDatabase } from "./known-database.ts";

const use = `Usage: dossier design export FILE.json|FOLDER [--name …] [--modules a,b] [--records] [--organization ID]
                              write the design: record types, forms, views, workflows, roles, policies, navigation,
                              translations
       dossier design apply FILE.json|FOLDER|STARTER [--dry-run] [--prune] [--allow-loss] [--organization ID]
                              apply a design in one transaction; --dry-run only shows the plan, --prune removes what
                              the design doesn't have, --allow-loss also where stored values are removed
       dossier design rollback [--dry-run] [--allow-loss] [--override] [--organization ID]
                              undo the last apply`;

const options = {
  name: { type: "string" },
  description: { type: "string" },
  modules: { type: "string" },
  records: { type: "boolean" },
  "dry-run": { type: "boolean" },
  prune: { type: "boolean" },
  "allow-loss": { type: "boolean" },
  override: { type: "boolean" },
  organization: { type: "string" },
} as const;

type Words = ReturnType<typeof read>;

interface Context {
  readonly db: Database;
  readonly metadata: MetadataStore;
  readonly designer: Designer;
  readonly values: Words["values"];
  readonly out: (line: string) => void;
}

const commands: Readonly<Record<string, (context: Context, place: string | undefined) => Promise<void>>> = {
  export: async ({ db, metadata, designer: { caller }, values, out }, place) => {
    if (place === undefined) throw new DesignFileFault(`Name a file that ends with .json, or a folder.\n${use}`);
    const design = await exportDesign(db, metadata.current(), caller.organizationId, {
      name: values.name ?? caller.organizationName,
      description: values.description,
      modules: values.modules?.split(",").filter(Boolean),
      records: values.records,
    });
    await writeDesignAt(place, design);
    out(`${design.items.length} documents written to ${place}.`);
  },
  apply: async ({ designer, values, out }, place) => {
    if (place === undefined) throw new DesignFileFault(`Name a file, a folder or a starter design.\n${use}`);
    const design = await designNamed(place);
    const chosen = { prune: values.prune ?? false, allowLoss: values["allow-loss"] ?? false };
    if (values["dry-run"]) {
      out(planText(await previewDesign(designer, design, chosen)));
      return;
    }
    const plan = await applyDesign(designer, design, chosen);
    out(planText(plan));
    out(plan.items.every(({ action }) => action === "unchanged") ? "Nothing to change." : `${design.name} applied.`);
  },
  rollback: async ({ designer, values, out }) => {
    const last = await readLastApply(designer.database, designer.caller.organizationId);
    const rehearses = values["dry-run"] ?? false;
    const chosen = { allowLoss: values["allow-loss"] ?? false, override: values.override ?? false, rehearses };
    out(planText(await rollBack(designer, chosen)));
    if (rehearses) return;
    out(`${last?.name ?? "The design"} of ${last?.applied ?? ""} UTC rolled back.`);
  },
};

async function designNamed(place: string): Promise<Design> {
  const starter = /^[a-z0-9-]+$/.test(place) ? await readStarter(place) : undefined;
  if (starter) return starter;
  try {
    return await readDesignAt(place);
  } catch (error) {
    if (!(error instanceof DesignFileFault) || !/^[a-z0-9-]+$/.test(place)) throw error;
    throw new DesignFileFault(`${error.message} Starter designs: ${(await starterNames()).join(", ")}.`);
  }
}

const marks = { add: "+", change: "~", remove: "-", unchanged: " " } as const;

/** Of one, and of several. */
const becoming: Readonly<Partial<Record<AffectedUse["becomes"], readonly [string, string]>>> = {
  left_out: ["continues without this field", "continue without this field"],
  unmet: [
    "continues; conditions on this field are no longer met",
    "continue; conditions on this field are no longer met",
  ],
  turned_off: ["turns off until its condition is changed", "turn off until their conditions are changed"],
  may_turn_off: ["turns off if its condition no longer fits", "turn off if their conditions no longer fit"],
  parts_ignored: ["continues", "continue"],
  may_ignore_parts: ["ignores what no longer fits", "ignore what no longer fits"],
};

function useText({ type, field, kind, name, count, becomes, loses }: AffectedUse): string {
  const isOne = kind !== "other" || count === 1;
  const others = isOne
    ? "1 private view or item of another organization"
    : `${count ?? 0} private views or items of other organizations`;
  const what = kind === "other" ? others : `${kind} ${name}`;
  const loss = becomes === "may_ignore_parts" ? ":" : becomes === "left_out" ? "; loses:" : "; no longer:";
  const lost = loses.length === 0 ? "" : `${loss} ${loses.join(", ")}`;
  return `! ${type}.${field}: ${what} ${becoming[becomes]?.[isOne ? 0 : 1] ?? becomes}${lost}`;
}

function leftOutText(leftOut = 0, isComplete: 0 | 1 = 1): readonly string[] {
  if (leftOut > 0) return [`! ${leftOut} more ${leftOut === 1 ? "use" : "uses"} of these fields not shown`];
  return isComplete === 1 ? [] : ["! Not everything was checked for uses of these fields"];
}

/** One line for each thing that changes, its differences below it. */
export function planText({ items, losses, uses = [], uses_left_out, uses_complete, missing }: DesignPlan): string {
  const lines = items
    .filter(({ action }) => action !== "unchanged")
    .flatMap(({ kind, name, action, changes }) => [
      `${marks[action]} ${kind}: ${name}`,
      ...changes.map(({ path, from, to }) => `    ${path}: ${from ?? "(none)"} -> ${to ?? "(none)"}`),
    ]);
  const count = (wanted: keyof typeof marks) => items.filter(({ action }) => action === wanted).length;
  return [
    ...lines,
    ...losses.map(
      ({ type, field, values }) =>
        `! ${field === null ? type : `${type}.${field}`}: ${values} ${values === 1 ? "value" : "values"} would be removed`,
    ),
    ...uses.map(useText),
    ...leftOutText(uses_left_out, uses_complete),
    ...missing.map((one) => `? ${one.in} names ${one.name.replace(":@", " ")}, which doesn't exist here`),
    `${count("add")} to add, ${count("change")} to change, ${count("remove")} to remove, ${count("unchanged")} unchanged`,
  ].join("\n");
}

export async function designCommand(
  config: Config,
  words: readonly string[],
  out: (line: string) => void = console.log,
): Promise<void> {
  const { positionals, values } = read(words);
  const [what = "", place, ...more] = positionals;
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!command || more.length > 0) throw new DesignFileFault(`Say what to do.\n${use}`);
  const reached = await reachDatabase(config, true, out);
  try {
    await requireKnownDatabase(reached.connection, "current");
    const db = openDatabase(reached.connection, { connections: 3 });
    try {
      await runCommand(db, command, place, values, out);
    } finally {
      await db.close();
    }
  } finally {
    await reached.close();
  }
}

async function runCommand(
  db: Database,
  command: (context: Context, place: string | undefined) => Promise<void>,
  place: string | undefined,
  values: Words["values"],
  out: (line: string) => void,
): Promise<void> {
  const metadata = await openMetadata(db, builtInTypes);
  const caller = await administratorOf(db, values.organization ?? (await operatorId(db)));
  const by = { organizationId: caller.organizationId, userId: null, userName: "dossier design" };
  const along = withGuardAndAudit(by, metadata.current(), { alone: false });
  const designer: Designer = { database: db, metadata, hooks: recordHooks, caller, along, uses: usesFor(caller) };
  try {
    await command({ db, metadata, designer, values, out }, place);
    // Those who are signed in are asked anew for what they may do.
    await notify(db, "dossier_access", caller.organizationId);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const head = write(error.said, "en");
    const reasons = writeAll(error.detail.errors ?? [], "en").filter((reason) => !head.includes(reason));
    throw new DesignFileFault([head, ...reasons].join("\n  "));
  }
}

/** In whose name it is done: what it adds belongs to the organization's first administrator. */
async function administratorOf(db: Queryable, organizationId: string): Promise<Caller> {
  if (!/^\d{1,18}$/.test(organizationId))
    throw new DesignFileFault("Name the organization by its id, which is a number.");
  const org = sql`${organizationId}::bigint`;
  const row = await db.row(sql`
    select u.id::text as id from access_controls__users u
    join access_controls__roles_users m on m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0
    join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.is_administrator = 1 and r.deleted = 0
    where u.organization_id = ${org} and u.deleted = 0 and u.is_active = 1 order by u.id limit 1`);
  const person = row?.id ? await readPerson(db, organizationId, row.id) : undefined;
  if (!person) throw new DesignFileFault(`Organization ${organizationId} has no active administrator.`);
  return { ...person, credential: { kind: "job", jobId: "0" } };
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new DesignFileFault(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}
