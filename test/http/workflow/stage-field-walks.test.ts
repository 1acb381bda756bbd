// Random writes by random people through every way there is: whatever is taken or refused, the stage field of every record
// is the option of its stage, and the log replays to that stage.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ident, sql } from "../../../server/database/sql.ts";
import { leadWorkflow } from "../../../server/modules/crm/workflows/lead-workflow.ts";
import { opportunityWorkflow } from "../../../server/modules/crm/workflows/opportunity-workflow.ts";
import { readStageLog } from "../../../server/records/workflow/stage-log.ts";
import { replay } from "../../../server/workflow/stage-log.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson } from "../people.ts";

let service: TestService;
const tokens: string[] = [];
let company: string;

const types = {
  "crm/leads": { alias: "leads", table: "crm__leads", field: "status", workflow: leadWorkflow },
  "crm/opportunities": {
    alias: "opportunities",
    table: "crm__opportunities",
    field: "stage",
    workflow: opportunityWorkflow,
  },
} as const;
type Key = keyof typeof types;

beforeAll(async () => {
  service = await startService();
  tokens.push(await service.login());
  for (const [name, role] of [
    ["rep", "sales_rep"],
    ["head", "sales_manager"],
  ] as const)
    tokens.push((await addPerson(service, name, [role])).token);
  const data = { companies: { name: "C" }, action: { save_progress: "Save" } };
  company = (await service.post("/crm/companies/add.json", { data }, tokens[0])).body.id;
});
afterAll(() => service.stop());

const ways = [
  "add",
  "add_many",
  "edit",
  "rpc",
  "transition",
  "edit_selected",
  "all_matching",
  "edit_many",
  "revert",
  "undo",
  "delete",
  "restore",
] as const;

const step = fc.record({
  way: fc.constantFrom(...ways),
  key: fc.constantFrom<Key>("crm/leads", "crm/opportunities"),
  who: fc.nat(2),
  which: fc.nat(),
  option: fc.nat(),
  complete: fc.boolean(),
});

test("the field is always the stage's", async () => {
  const ids: Record<Key, string[]> = { "crm/leads": [], "crm/opportunities": [] };
  const jobs: string[] = [];
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
      for (const { way, key, who, which, option, complete } of steps) {
        const { alias, field, workflow } = types[key];
        const options = workflow.stages.map(({ value }) => value);
        const id = ids[key][which % Math.max(1, ids[key].length)];
        const wanted = {
          [field]: options[option % options.length],
          ...(complete
            ? { lost_reason: "price", amount: "5", ...(key === "crm/leads" ? { company_name: "C" } : {}) }
            : {}),
        };
        const fresh =
          key === "crm/leads" ? { last_name: "L", ...wanted } : { name: "O", company_id: company, ...wanted };
        const names = workflow.transitions.map(({ name }) => name);
        const action = names[option % names.length] ?? "";
        const save = { save_progress: "Save" };
        const selected = { ids: ids[key].slice(-3), data: { [alias]: wanted } };
        const sent: Readonly<Record<(typeof ways)[number], readonly [string, unknown]>> = {
          add: [`/${key}/add.json`, { data: { [alias]: fresh, action: save } }],
          add_many: [`/${key}/add_many.json`, { partial: "1", data: { [alias]: [fresh, fresh] } }],
          edit: [`/${key}/edit.json`, { data: { [alias]: { id, ...wanted }, action: save } }],
          rpc: [
            `/${key}/edit.json`,
            {
              jsonrpc: "2.0",
              id: 1,
              method: `${key.replace("/", ".")}.edit`,
              params: { action: save, data: { [alias]: { id, ...wanted } } },
            },
          ],
          transition: [`/${key}/edit.json`, { data: { [alias]: { id, ...wanted }, action: { [action]: action } } }],
          edit_selected: [`/${key}/edit_selected.json`, selected],
          all_matching: [`/${key}/edit_selected.json`, { all_matching: "1", data: { [alias]: wanted } }],
          edit_many: [
            `/${key}/edit_many.json`,
            { data: { [alias]: ids[key].slice(-2).map((one) => ({ id: one, ...wanted })) } },
          ],
          revert: [`/${key}/revert.json?id=${id}&revision=${1 + (option % 3)}`, {}],
          undo: [`/core/jobs/undo.json?id=${jobs[which % Math.max(1, jobs.length)]}`, {}],
          delete: [`/${key}/delete.json?id=${id}&is_confirm=1`, {}],
          restore: [`/${key}/restore.json?id=${id}`, {}],
        };
        const [path, body] = sent[way];
        const answer = await service.post(path, body, tokens[who]);
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        if (answer.status === 200) taken += 1;
        if (way === "add" && answer.status === 200) ids[key].push(answer.body.id);
        if (way === "add_many" && answer.status === 200) {
          ids[key].push(...answer.body.data[alias].flatMap((row: { id?: string }) => row.id ?? []));
        }
        if (typeof answer.body.job_id === "string") jobs.push(answer.body.job_id);
      }
      await expectOneTruth();
    }),
    { numRuns: 12, seed: 20_261_115 },
  );
  expect(taken).toBeGreaterThan(40);
});

async function expectOneTruth(): Promise<void> {
  for (const [key, { table, field, workflow }] of Object.entries(types)) {
    const options = new Map(workflow.stages.map((stage) => [stage.key, stage.value]));
    const { rows } = await service.db.run(sql`
      select r.id::text, r.${ident(field)}, n.key, r.current_stage::text from ${ident(table)} r
      left join core__workflow_nodes n on n.organization_id = r.organization_id and n.id = r.current_stage`);
    for (const [id, value, stage, node] of rows) {
      expect([id, value], `${key} in ${stage}`).toEqual([id, options.get(stage ?? "")]);
      expect(replay(await readStageLog(service.db, "1", key, id ?? ""))?.stage).toBe(node);
    }
  }
}
