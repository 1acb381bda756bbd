// Random workflows and random walks by random people, held against a second model of what a workflow allows, written
// naively here: nothing forbidden ever happens, what is lent is always that of the stage, and the log replays to it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { readStageLog } from "../../../server/records/workflow/stage-log.ts";
import { replay } from "../../../server/workflow/stage-log.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
const people: Record<string, Person> = {};
const principals: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  for (const [name, role] of [
    ["owner", "sales_rep"],
    ["boss", "sales_rep"],
    ["head", "sales_manager"],
    ["other", "sales_rep"],
  ] as const) {
    people[name] = await addPerson(service, name, [role]);
  }
  await save("access_controls/users", { id: people.owner?.id, manager_id: people.boss?.id }, "save_progress", admin);
  const rows = await service.db.rows(sql`
    select name, principal_id::text as id from access_controls__users
    union all select code, principal_id::text from access_controls__roles where organization_id = 1`);
  for (const row of rows) principals[row.name ?? ""] = row.id ?? "";
});
afterAll(() => service.stop());

const save = (type: string, values: object, action: string, token: string, operation = "edit") => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { [action]: action } };
  return service.post(`/${type}/${operation}.json`, { data }, token);
};

/** A small generator of its own: the same walks every time. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  return { next, pick, some: <Item>(items: readonly Item[], chance: number) => items.filter(() => next() < chance) };
}

type Random = ReturnType<typeof randomFrom>;
const actorNames = ["owner", "owner_manager", "role:sales_manager"] as const;

interface WalkStage {
  readonly key: string;
  readonly name: string;
  readonly kind?: "start" | "end";
  readonly actors?: readonly string[];
  readonly grants?: readonly string[];
}
interface WalkTransition {
  readonly name: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  readonly kind?: string;
  readonly needs?: string;
  readonly by?: readonly string[];
  readonly condition?: string;
}

function drawWorkflow(random: Random) {
  const keys = ["a", "b", "c", "d"];
  const stages: WalkStage[] = keys.map((key, index) => ({
    key,
    name: `${index + 1}. ${key.toUpperCase()}`,
    ...(index === 0 ? { kind: "start" as const } : {}),
    actors: random.some(actorNames, 0.6),
    grants: ["read", ...random.some(["edit", "delete"], 0.5)],
  }));
  stages.push({ key: "z", name: "Z", kind: "end" });
  const transitions: WalkTransition[] = [];
  keys.forEach((from, index) => {
    // Every stage can be reached and left; further ways are chance.
    const ways = [
      keys[index + 1] ?? "z",
      ...random.some(
        [...keys, "z"].filter((key) => key !== from),
        0.25,
      ),
    ];
    ways.forEach((to, way) => {
      const votes = (stages[index]?.actors?.length ?? 0) > 0 && random.next() < 0.5;
      transitions.push({
        name: `go_${from}_${way}`,
        label: `Go ${way}`,
        from,
        to,
        ...(votes
          ? { kind: "approve", needs: random.pick(["any", "all"]) }
          : random.next() < 0.5
            ? { by: [random.pick(actorNames)] }
            : {}),
        ...(random.next() < 0.3 ? { condition: random.pick(["employees > 10", "employees <= 10"]) } : {}),
      });
    });
  });
  return { stages, transitions };
}

const holds = (person: string, actor: string): boolean =>
  (actor === "owner" && person === "owner") ||
  (actor === "owner_manager" && person === "boss") ||
  (actor === "role:sales_manager" && person === "head");
const principalOf = (actor: string): string =>
  principals[actor === "owner" ? "owner" : actor === "owner_manager" ? "boss" : "sales_manager"] ?? "";

test("no walk takes what the model forbids, and grants and log always tell the stage", async () => {
  const random = randomFrom(20_261_115);
  for (let round = 0; round < 4; round += 1) {
    const { stages, transitions } = drawWorkflow(random);
    const definition = JSON.stringify({ stages, transitions });
    const made = await save(
      "core/workflows",
      { name: `W${round}`, controller: "crm/companies", definition },
      "save_progress",
      admin,
      "add",
    );
    expect(made.body.errors).toEqual([]);
    for (let walk = 0; walk < 3; walk += 1) {
      const employees = random.pick(["5", "50"]);
      const added = await save(
        "crm/companies",
        { name: "Walker", employees },
        "save_progress",
        people.owner?.token ?? "",
        "add",
      );
      const id: string = added.body.id;
      let at = "a";
      let agreed: string[] = [];
      for (let step = 0; step < 9; step += 1) {
        const person = random.pick(["owner", "boss", "head", "other"]);
        const action = random.pick(
          transitions.filter((one) => one.from === at || random.next() < 0.1).concat(random.pick(transitions)),
        );
        const stage = stages.find((one) => one.key === at);
        const pending = (stage?.actors ?? []).filter((actor) => !agreed.includes(actor));
        const mayEdit =
          person === "owner" ||
          ((stage?.grants ?? []).includes("edit") && (stage?.actors ?? []).some((actor) => holds(person, actor)));
        const takers = action.by ?? (action.needs === "all" ? pending : (stage?.actors ?? []));
        const mayTake =
          action.by === undefined && (stage?.actors ?? []).length === 0
            ? mayEdit
            : takers.some((actor) => holds(person, actor));
        const isMet =
          action.condition === undefined || (action.condition === "employees > 10") === (employees === "50");
        const expected = action.from !== at ? 422 : !mayTake ? 403 : !isMet ? 422 : 200;
        const answer = await save("crm/companies", { id }, action.name, people[person]?.token ?? "");
        expect(answer.status, `${person} ${action.name} at ${at}: ${JSON.stringify(answer.body.errors)}`).toBe(
          expected,
        );
        if (expected === 200) {
          const settled = action.needs === "all" ? pending.filter((actor) => holds(person, actor)) : [];
          const left = pending.filter((actor) => !settled.includes(actor));
          if (action.needs === "all" && left.length > 0) agreed = [...agreed, ...settled];
          else {
            at = action.to;
            agreed = [];
          }
        }
        await expectState(
          id,
          stages.find((one) => one.key === at),
          agreed,
        );
      }
    }
    await save("core/workflows", { id: made.body.id, is_active: "0" }, "save_progress", admin);
  }
});

async function expectState(id: string, stage: WalkStage | undefined, agreed: readonly string[]): Promise<void> {
  const row = await service.db.row(sql`
    select n.key, c.current_stage::text as node, c.stage_since::text as since,
      array_to_string(s._acl_tmp, ' ') as read, array_to_string(s._acl_tmp_edit, ' ') as edit,
      array_to_string(s._acl_tmp_delete, ' ') as remove, array_to_string(s.actors, ' ') as act
    from crm__companies c
    join core__workflow_nodes n on n.organization_id = c.organization_id and n.id = c.current_stage
    join core__acl_sets s on s.organization_id = c.organization_id and s.id = c.acl_id
    where c.id = ${id}::bigint`);
  const texts = (actors: readonly string[]) =>
    actors.length === 0
      ? null
      : actors
          .map((actor) => Number(principalOf(actor)))
          .sort((a, b) => a - b)
          .join(" ");
  const actors = stage?.actors ?? [];
  const lent = (right: string) => texts((stage?.grants ?? []).includes(right) ? actors : []);
  expect(row).toMatchObject({
    key: stage?.key,
    read: texts(actors),
    edit: lent("edit"),
    remove: lent("delete"),
    act: texts(actors.filter((actor) => !agreed.includes(actor))),
  });
  const story = replay(await readStageLog(service.db, "1", "crm/companies", id));
  expect(story).toMatchObject({ stage: row?.node, since: row?.since });
  expect([...(story?.agreed ?? [])].sort()).toEqual([...agreed].sort());
}
