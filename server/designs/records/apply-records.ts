// Records that come with a design, to begin with: adds them in the order in which they refer to each other, by the ordinary way of saving, and
// takes each the steps of its workflow that it has gone. Call within a transaction.
import { grantWrite } from "../../access/grant.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { planSave } from "../../plan/plan-write.ts";
import type { Work } from "../../records/hooks.ts";
import { saveRecord } from "../../records/save/save-records.ts";
import { normalizeAction } from "../../request/call.ts";
import type { Tree } from "../../request/tree.ts";
import { type Content, DesignFileFault, type DesignItem, type Json } from "../design.ts";

interface Waiting {
  readonly type: string;
  readonly id: string;
  readonly values: Content;
}

const REFERENCE = /^@([a-z][a-z0-9_]*\/[a-z][a-z0-9_]*)\/([a-z0-9-]{1,80})$/;
const DAY = /^@today(?:([+-]\d{1,4})d)?( \d\d:\d\d:\d\d)?$/;
const DAY_MS = 86_400_000;

/** Takes the steps of its workflow, by the names of its actions. */
const STEPS = "@steps";

/** `work`: begins anew for each record, so that what one changes is settled with it. */
export async function applyRecords(work: () => Work, items: readonly DesignItem[]): Promise<void> {
  const ids = new Map<string, string>();
  let waiting: Waiting[] = items.flatMap(({ key, content }) =>
    ((content.records ?? []) as readonly Content[]).map(({ id, ...values }) => ({ type: key, id: String(id), values })),
  );
  while (waiting.length > 0) {
    const later: Waiting[] = [];
    for (const one of waiting) {
      if (references(one.values).every((place) => ids.has(place)))
        ids.set(`${one.type}/${one.id}`, await add(work, one, ids));
      else later.push(one);
    }
    if (later.length === waiting.length) {
      const [first] = later;
      throw new DesignFileFault(`The record ${first?.type}/${first?.id} refers to one that isn't in the design.`);
    }
    waiting = later;
  }
}

const references = (value: Json): readonly string[] => {
  if (typeof value === "string") {
    const found = REFERENCE.exec(value);
    return found ? [`${found[1]}/${found[2]}`] : [];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(references) : [];
};

async function add(
  work: () => Work,
  { type: key, values }: Waiting,
  ids: ReadonlyMap<string, string>,
): Promise<string> {
  const one = work();
  const type = requireType(one.snapshot, key);
  const { [STEPS]: steps, ...rest } = values;
  const sent = resolved(rest, ids, one.caller.userId) as Tree;
  const grant = grantWrite(one.caller, type, "add", one.hooks);
  const plan = planSave(one.snapshot, grant, { id: undefined, sent });
  const id = await saveRecord(one, { grant, operation: "add", overrideDuplicates: true }, plan);
  for (const name of Array.isArray(steps) ? (steps as readonly Json[]) : []) {
    const step = work();
    const edit = grantWrite(step.caller, type, "edit", step.hooks);
    const action = {
      kind: "transition",
      action: { name: String(name), key: normalizeAction(String(name)), label: "" },
    } as const;
    await saveRecord(step, { grant: edit, operation: "edit", action }, planSave(step.snapshot, edit, { id, sent: {} }));
  }
  return id;
}

function resolved(value: Json, ids: ReadonlyMap<string, string>, me: string): Json {
  if (typeof value === "string") {
    if (value === "@me") return me;
    const [, type, local] = REFERENCE.exec(value) ?? [];
    if (type !== undefined) return ids.get(`${type}/${local}`) ?? null;
    const day = DAY.exec(value);
    if (!day) return value;
    const at = new Date(Date.now() + Number(day[1] ?? 0) * DAY_MS).toISOString().slice(0, 10);
    return `${at}${day[2] ?? ""}`;
  }
  if (typeof value !== "object" || value === null) return value === null ? null : String(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => resolved(one, ids, me));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, ids, me)]));
}
