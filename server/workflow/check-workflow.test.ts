// A workflow that cannot work is refused: one row for each thing that can be wrong with it, with the place that is named.
import { describe, expect, test } from "vitest";
import type { EffectDefinition, StageDefinition, TransitionDefinition } from "../../contract/workflow.ts";
import { checkWorkflow } from "./check-workflow.ts";
import { leads, quotes, snapshot } from "./workflow-fixture.ts";

const draft: StageDefinition = { key: "draft", name: "Draft", kind: "start" };
const vote: StageDefinition = { key: "vote", name: "Vote", actors: ["role:boss"] };
const done: StageDefinition = { key: "done", name: "Done", kind: "end" };
const ask: TransitionDefinition = { name: "ask", label: "Ask", from: "draft", to: "vote" };
const agree: TransitionDefinition = { name: "agree", label: "Agree", from: "vote", to: "done", kind: "approve" };

interface Parts {
  readonly stages?: readonly StageDefinition[];
  readonly transitions?: readonly TransitionDefinition[];
}
/** `at code`, of every fault. */
function faultsOf({ stages = [draft, vote, done], transitions = [ask, agree] }: Parts): readonly string[] {
  const checked = checkWorkflow({ stages, transitions }, quotes, snapshot);
  return checked.ok ? [] : checked.faults.map(({ at, wrong }) => `${at} ${wrong.code}`);
}
const staged = (stage: Partial<StageDefinition>): Parts => ({ stages: [draft, { ...vote, ...stage }, done] });
const going = (...more: (Partial<TransitionDefinition> & { name: string })[]): Parts => ({
  transitions: [ask, agree, ...more.map((one) => ({ label: "X", from: "vote", to: "draft", ...one }))],
});
const doing = (...effects: EffectDefinition[]): Parts => ({ transitions: [{ ...ask, effects }, agree] });
const entering = (...enter: EffectDefinition[]): Parts => staged({ enter });

test("a workflow that works has nothing wrong with it", () => {
  expect(faultsOf({})).toEqual([]);
  expect(checkWorkflow({ stages: [draft, vote, done], transitions: [ask, agree] }, quotes, snapshot)).toMatchObject({
    ok: true,
    definition: { stages: [draft, vote, done], transitions: [ask, agree] },
  });
});

describe("stages", () => {
  test.each<[string, Parts, readonly string[]]>([
    [
      "the same key twice",
      { stages: [draft, vote, done, { ...done, name: "Done too" }] },
      ["stages.done key_used_twice"],
    ],
    ["the same name twice, in whichever case", staged({ name: "DRAFT" }), ["stages stage_name_twice"]],
    ["two starts", staged({ kind: "start" }), ["stages one_start"]],
    [
      "no start",
      { stages: [{ key: "draft", name: "Draft" }, vote, done] },
      ["stages one_start", "stages.draft not_reached", "stages.vote not_reached", "stages.done not_reached"],
    ],
    [
      "one that nothing leads to",
      { stages: [draft, vote, done, { key: "far", name: "Far", kind: "end" }] },
      ["stages.far not_reached"],
    ],
    [
      "one that nothing leads out of",
      { stages: [draft, vote, done, { key: "far", name: "Far" }], ...going({ name: "go", to: "far" }) },
      ["stages.far dead_end"],
    ],
    ["a way out of an end", going({ name: "back", from: "done" }), ["stages.done leads_out_of_end"]],
    ["an end with actors", { stages: [draft, vote, { ...done, actors: ["owner"] }] }, ["stages.done end_has_actors"]],
    ["a user field that is none", staged({ actors: ["field:name"] }), ["stages.vote.actors names_no_user"]],
    ["a user field that is not there", staged({ actors: ["field:nobody"] }), ["stages.vote.actors names_no_user"]],
    ["a fixed field that is not there", staged({ fixed: ["nothing"] }), ["stages.vote.fixed not_own_field"]],
    ["a fixed system field", staged({ fixed: ["created"] }), ["stages.vote.fixed not_own_field"]],
  ])("are refused with %s", (_, parts, faults) => {
    expect(faultsOf(parts)).toEqual(faults);
  });

  test("are taken with a user field and fixed fields, and reached by any of several ways", () => {
    expect(faultsOf(staged({ actors: ["field:approved_by_id", "owner"], fixed: ["amount"] }))).toEqual([]);
    const far = { stages: [draft, vote, done, { key: "far", name: "Far", kind: "end" } as const] };
    expect(faultsOf({ ...far, ...going({ name: "go", from: ["draft", "vote"], to: "far" }) })).toEqual([]);
    // Named before the way to where it starts.
    const backwards = { ...far, transitions: [{ name: "go", label: "Go", from: "vote", to: "far" }, ask, agree] };
    expect(faultsOf(backwards)).toEqual([]);
  });

  test.each<[string, EffectDefinition, boolean]>([
    ["set fields", { set: { name: "name" } }, true],
    ["create", { create: "crm/companies", values: { name: "name" } }, false],
    ["mail", { mail: { to: ["owner"], subject: "A", text: "B" } }, false],
    ["notify", { notify: { to: ["owner"], text: "A" } }, false],
  ])("at the start %s: %j is allowed: %s", (_, effect, allowed) => {
    const parts = { stages: [{ ...draft, enter: [effect] }, vote, done] };
    expect(faultsOf(parts)).toEqual(allowed ? [] : ["stages.draft.enter start_only_sets"]);
    expect(faultsOf(entering(effect))).toEqual([]);
  });
});

describe("transitions", () => {
  test("name the stage that is not there, and that with the same action twice", () => {
    const { transitions = [] } = going({ name: "go", from: "lost", to: "gone" }, { name: "agree" });
    const checked = checkWorkflow({ stages: [draft, vote, done], transitions }, quotes, snapshot);
    const told = checked.ok ? [] : checked.faults.map(({ wrong: { code, params } }) => [code, params]);
    expect(told).toEqual([
      ["no_such_stage", { stage: "gone" }],
      ["no_such_stage", { stage: "lost" }],
      ["action_twice", { stage: "vote" }],
    ]);
  });

  test.each<[string, Parts, readonly string[]]>([
    ["the name of a way to save", going({ name: "save_continue" }), ["transitions.save_continue name_taken"]],
    ["a stage to go to that is not there", going({ name: "go", to: "gone" }), ["transitions.go.to no_such_stage"]],
    [
      "a stage to come from that is not there",
      going({ name: "go", from: ["gone", "vote"] }),
      ["transitions.go.from no_such_stage"],
    ],
    [
      "the same action twice in one stage, however it is written",
      going({ name: "a_gree" }),
      ["transitions.a_gree action_twice"],
    ],
    ["a way that leads nowhere", going({ name: "stay", to: "vote" }), ["transitions.stay leads_back"]],
    [
      "an approval where nobody acts",
      going({ name: "yes", from: "draft", to: "done", kind: "approve" }),
      ["transitions.yes nobody_approves"],
    ],
    [
      "a rejection where nobody acts",
      going({ name: "no", from: "draft", to: "done", kind: "reject" }),
      ["transitions.no nobody_rejects"],
    ],
    [
      "a number of votes where there is no vote",
      going({ name: "go", needs: "any" }),
      ["transitions.go.needs needs_of_approval"],
    ],
    [
      "names where all of the stage must agree",
      going({ name: "go", kind: "approve", needs: "all", by: ["owner"] }),
      ["transitions.go.by all_are_actors"],
    ],
    [
      "a rejection without a reason",
      going({ name: "no", kind: "reject", reason: "optional" }),
      ["transitions.no.reason reject_with_reason"],
    ],
    ["a user field that is none", going({ name: "go", by: ["field:amount"] }), ["transitions.go.by names_no_user"]],
    [
      "a condition on nothing",
      going({ name: "go", condition: "nothing = 1" }),
      ["transitions.go.condition missing_field"],
    ],
    [
      "a required field that is not there",
      going({ name: "go", required: ["nothing"] }),
      ["transitions.go.required not_fillable"],
    ],
    ["a required system field", going({ name: "go", required: ["created"] }), ["transitions.go.required not_fillable"]],
  ])("are refused with %s", (_, parts, faults) => {
    expect(faultsOf(parts)).toEqual(faults);
  });

  test.each<[string, Parts]>([
    ["the same name in two stages", going({ name: "ask" })],
    ["a rejection with the reason that it needs anyway", going({ name: "no", kind: "reject", reason: "required" })],
    ["an approval by anybody of the stage", going({ name: "yes", kind: "approve", needs: "any", by: ["owner"] })],
    ["an approval by all", going({ name: "yes", kind: "approve", needs: "all" })],
    [
      "a recall, a condition, a field",
      going({ name: "r", kind: "recall", condition: "amount > 1", required: ["amount"] }),
    ],
  ])("are taken with %s", (_, parts) => {
    expect(faultsOf(parts)).toEqual([]);
  });

  test("are refused with a condition that cannot be read", () => {
    expect(faultsOf(going({ name: "go", condition: "amount >" }))).toHaveLength(1);
  });
});

describe("effects", () => {
  const place = "transitions.ask.effects";
  const company = { create: "crm/companies", as: "company", values: { name: "name" } } as const;
  test.each<[string, readonly EffectDefinition[], readonly string[]]>([
    ["a condition on nothing", [{ when: "nothing = 1", set: {} }], [`${place}.0.when missing_field`]],
    ["a field that is not there", [{ set: { nothing: "1" } }], [`${place}.0.set.nothing missing_field`]],
    ["a system field", [{ set: { created: "now()" } }], [`${place}.0.set.created is_system_field`]],
    ["a field that decides access", [{ set: { owned_by: "me()" } }], [`${place}.0.set.owned_by decides_access`]],
    [
      "a group that decides access, of a record that is made",
      [{ create: "crm/companies", values: { primary_acl_group: "1" } }],
      [`${place}.0.values.primary_acl_group decides_access`],
    ],
    [
      "a record that is made of itself",
      [{ create: "crm/companies", as: "company", values: { name: "new.company" } }],
      [`${place}.0.values.name not_made_before`],
    ],
    ["a value from a field that is not there", [{ set: { name: "nothing" } }], [`${place}.0.set.name missing_field`]],
    [
      "a record that is not made before",
      [{ set: { company_id: "new.company" } }, company],
      [`${place}.0.set.company_id not_made_before`],
    ],
    [
      "a type that takes no workflow",
      [{ create: "access_controls/users", values: { nothing: "1" } }],
      [`${place}.0.create not_created`],
    ],
    ["a type that is not there", [{ create: "crm/nothing", values: {} }], [`${place}.0.create not_created`]],
    [
      "a field that the created type has not",
      [{ create: "crm/companies", values: { nothing: "1" } }],
      [`${place}.0.values.nothing missing_field`],
    ],
    [
      "a field that only the record's own workflow fills in",
      [{ create: "crm/quotes", values: { name: "name", approved: "now()" } }],
      [`${place}.0.values.approved workflow_read_only`],
    ],
    [
      "a choice about a record without a name",
      [{ create: "crm/companies", offer: ["skip"], values: { name: "name" } }],
      [`${place}.0.offer name_it_first`],
    ],
    [
      "mail to a field that holds no address",
      [{ mail: { to: ["email:name"], subject: "A", text: "B" } }],
      [`${place}.0.mail.to not_an_email_field`],
    ],
    [
      "mail to a field that is not there",
      [{ mail: { to: ["email:nothing"], subject: "A", text: "B" } }],
      [`${place}.0.mail.to not_an_email_field`],
    ],
    [
      "mail to a user field that is none",
      [{ mail: { to: ["field:name"], subject: "A", text: "B" } }],
      [`${place}.0.mail.to names_no_user`],
    ],
    [
      "a subject that prints nothing",
      [{ mail: { to: ["owner"], subject: "{{nothing}}", text: "B" } }],
      [`${place}.0.mail.subject not_printable`],
    ],
    [
      "a text that prints nothing, told once",
      [{ mail: { to: ["owner"], subject: "A", text: "{{nothing}} {{nothing}}" } }],
      [`${place}.0.mail.text not_printable`],
    ],
    ["a note to nobody", [{ notify: { to: ["field:name"], text: "A" } }], [`${place}.0.notify.to names_no_user`]],
    [
      "a note that prints nothing",
      [{ notify: { to: ["owner"], text: "{{company_id.nothing}}" } }],
      [`${place}.0.notify.text not_printable`],
    ],
  ])("are refused with %s", (_, effects, faults) => {
    expect(faultsOf(doing(...effects))).toEqual(faults);
  });

  test("are taken where each knows what it speaks of", () => {
    const effects: readonly EffectDefinition[] = [
      company,
      { when: "amount > 1", set: { company_id: "new.company", approved: "now()" } },
      { mail: { to: ["owner", "field:approved_by_id"], subject: "{{name}}", text: "{{company_id.name}}" } },
      { notify: { to: ["field:approved_by_id"], text: "{{name}}" } },
      { create: "crm/companies", as: "other", offer: ["existing"], values: { name: "name" } },
    ];
    expect(faultsOf(doing(...effects))).toEqual([]);
    expect(faultsOf(entering(...effects))).toEqual([]);
  });

  test("cannot be read: every text says so at its place", () => {
    const broken: readonly EffectDefinition[] = [
      { when: "amount >", set: { name: "((" } },
      { mail: { to: ["owner"], subject: "{{((}}", text: "{{((}}" } },
      { notify: { to: ["owner"], text: "{{((}}" } },
    ];
    const places = [...faultsOf(doing(...broken)), ...faultsOf(entering(...broken))].map((one) => one.split(" ")[0]);
    const rest = ["0.when", "0.set.name", "1.mail.subject", "1.mail.text", "2.notify.text"];
    expect(places).toEqual([...rest.map((one) => `${place}.${one}`), ...rest.map((one) => `stages.vote.enter.${one}`)]);
  });

  test("that were made in one list are not known to another", () => {
    const parts = { stages: [draft, { ...vote, enter: [{ set: { company_id: "new.company" } }] }, done] };
    expect(faultsOf({ ...parts, ...doing(company) })).toEqual(["stages.vote.enter.0.set.company_id not_made_before"]);
  });
});

test("what has no shape is refused before anything else is looked at", () => {
  expect(checkWorkflow({ stages: [], transitions: [] }, quotes, snapshot).ok).toBe(false);
  expect(checkWorkflow("nothing", quotes, snapshot).ok).toBe(false);
});

test("a condition with an option that a choice does not have is refused by the name of the field and the option", () => {
  const asking = (condition: string) => ({
    stages: [draft, vote, done],
    transitions: [{ ...ask, condition }, agree],
  });
  const wrongIn = (condition: string, stored?: string) => {
    const before = stored === undefined ? null : JSON.stringify(asking(stored));
    const checked = checkWorkflow(asking(condition), leads, snapshot, before);
    return checked.ok ? [] : checked.faults.map(({ at, wrong }) => [at, wrong.code, wrong.params]);
  };
  const place = "transitions.ask.condition";
  expect(wrongIn('rating = "scorching"')).toEqual([
    [place, "no_such_option", { field: "Rating", option: "scorching" }],
  ]);
  expect(wrongIn('not (rating in ("hot", "icy") or "mild" != rating)')).toHaveLength(2);
  expect(wrongIn('rating in ("hot", "warm") and rating != "" and last_name = "scorching"')).toEqual([]);
  // What is compared by its size may lie between the options.
  expect(wrongIn('rating < "lukewarm"')).toEqual([]);
  // An option that was taken away since it was saved.
  expect(wrongIn('rating = "scorching"', 'rating = "scorching"')).toEqual([]);
  expect(wrongIn('rating != "scorching"', 'rating = "scorching"')).toHaveLength(1);
  // Conditions of effects are conditions too.
  const when = 'rating = "scorching"';
  const effects = { ...asking("amount > 1"), transitions: [{ ...ask, effects: [{ when, set: {} }] }, agree] };
  expect(checkWorkflow(effects, leads, snapshot).ok).toBe(false);
  expect(checkWorkflow(effects, leads, snapshot, JSON.stringify(effects)).ok).toBe(true);
});
