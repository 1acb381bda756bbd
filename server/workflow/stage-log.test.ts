// The log of a record's way, read as a story; and what a workflow speaks of, so that it is read before it is needed.
import { describe, expect, test } from "vitest";
import { leadWorkflow } from "../modules/crm/workflows/lead-workflow.ts";
import { quoteWorkflow } from "../modules/crm/workflows/quote-workflow.ts";
import { effectRefusal, takesWorkflow } from "./effect-fields.ts";
import { type LogEntry, replay, secondsBetween } from "./stage-log.ts";
import { isTemplatePath } from "./template-paths.ts";
import { actorsOfWorkflow, fieldsOfWorkflow } from "./workflow-fields.ts";
import { compiled, leads, quotes, snapshot } from "./workflow-fixture.ts";

const entry = (step: LogEntry["step"], from: string | null, to: string, more: Partial<LogEntry> = {}): LogEntry => ({
  step,
  from,
  to,
  version: "1",
  settled: [],
  created: "2026-01-01 00:00:00",
  ...more,
});

describe("the story of a record", () => {
  const began = entry("start", null, "a");

  test.each<[string, readonly LogEntry[], object | undefined]>([
    ["nothing happened", [], undefined],
    ["it began", [began], { stage: "a", version: "1", since: "2026-01-01 00:00:00", agreed: [] }],
    [
      "it moved",
      [began, entry("move", "a", "b", { created: "2026-01-02 00:00:00" })],
      { stage: "b", version: "1", since: "2026-01-02 00:00:00", agreed: [] },
    ],
    [
      "some agreed, and it stayed since it came",
      [
        began,
        entry("vote", "a", "a", { settled: ["owner"], created: "2026-01-02 00:00:00" }),
        entry("vote", "a", "a", { settled: ["role:boss", "user:8"] }),
      ],
      { stage: "a", version: "1", since: "2026-01-01 00:00:00", agreed: ["owner", "role:boss", "user:8"] },
    ],
    [
      "it went on: what was agreed is over",
      [began, entry("vote", "a", "a", { settled: ["owner"] }), entry("move", "a", "b")],
      { stage: "b", agreed: [] },
    ],
    [
      "it was put into another version, where nobody has agreed",
      [began, entry("vote", "a", "a", { settled: ["owner"] }), entry("start", "a", "c", { version: "2" })],
      { stage: "c", version: "2", agreed: [] },
    ],
    ["it moved before it began", [entry("move", "a", "b")], undefined],
    ["it voted before it began", [entry("vote", "a", "a")], undefined],
    ["it left where it was not", [began, entry("move", "b", "c")], undefined],
    ["it moved by another version", [began, entry("move", "a", "b", { version: "2" })], undefined],
    ["a vote moved it", [began, entry("vote", "a", "b")], undefined],
  ])("%s", (_, entries, told) => {
    if (told === undefined) expect(replay(entries)).toBeUndefined();
    else expect(replay(entries)).toMatchObject(told);
  });

  test("takes its time in seconds, and never less than none", () => {
    expect(secondsBetween("2026-01-01 00:00:00", "2026-01-01 00:01:30")).toBe(90);
    expect(secondsBetween("2026-01-01 23:59:59", "2026-01-02 00:00:00")).toBe(1);
    expect(secondsBetween("2026-01-01 00:00:01", "2026-01-01 00:00:00")).toBe(0);
  });
});

describe("what a workflow speaks of", () => {
  const shown = (fields: ReadonlySet<string>) => [...fields].sort();

  test("is its stage field and the user fields of its stages, where records are only saved", () => {
    expect(shown(fieldsOfWorkflow(compiled(leadWorkflow), false))).toEqual(["status"]);
    const byField = compiled({
      stages: [
        { key: "a", name: "A", kind: "start", actors: ["field:approved_by_id", "owner"] },
        { key: "b", name: "B", kind: "end" },
      ],
      transitions: [{ name: "go", label: "Go", from: "a", to: "b", by: ["field:other_id"] }],
    });
    expect(shown(fieldsOfWorkflow(byField, false))).toEqual(["approved_by_id"]);
    expect(shown(fieldsOfWorkflow(byField, true))).toEqual(["approved_by_id", "other_id"]);
  });

  test("is everything that a step reads or writes, where they move", () => {
    const fields = fieldsOfWorkflow(compiled(quoteWorkflow), true);
    expect(shown(fields)).toEqual(["amount", "approved", "approved_by_id", "currency_id", "discount", "net_amount"]);
    const more = compiled({
      stages: [
        {
          key: "a",
          name: "A",
          kind: "start",
          enter: [{ when: "read_on_entry = 1", notify: { to: ["field:told_id"], text: "{{not_read_here}}" } }],
        },
        { key: "b", name: "B", kind: "end", fixed: ["kept"] },
      ],
      transitions: [
        {
          name: "go",
          label: "Go",
          from: "a",
          to: "b",
          condition: "asked = 1",
          required: ["needed"],
          effects: [
            { when: "made_if = 1", create: "crm/companies", values: { name: "not_read_either" } },
            { mail: { to: ["email:address"], subject: "A", text: "B" } },
            { set: { written: "taken_from" } },
          ],
        },
      ],
    });
    expect(shown(fieldsOfWorkflow(more, true))).toEqual([
      "address",
      "asked",
      "kept",
      "made_if",
      "needed",
      "read_on_entry",
      "taken_from",
      "told_id",
      "written",
    ]);
  });

  test("are its actors, of stages and transitions, without those whom a record names", () => {
    expect(actorsOfWorkflow(compiled(quoteWorkflow))).toEqual(["owner", "owner_manager", "role:sales_manager"]);
  });
});

describe("what an effect may write", () => {
  test.each<[string, typeof leads, string, "set" | "create", string | undefined]>([
    ["an ordinary field", leads, "rating", "set", undefined],
    ["an ordinary field of a new record", leads, "rating", "create", undefined],
    ["a field that is shown only", leads, "name", "set", "workflow_read_only"],
    ["a field kept for the workflow", leads, "converted", "set", undefined],
    ["a field kept for another record's workflow", leads, "converted", "create", "workflow_read_only"],
    ["a field that is not there", leads, "nothing", "set", "missing_field"],
    ["a system field", leads, "created", "set", "is_system_field"],
    ["whose it is", leads, "owned_by", "set", "decides_access"],
    ["in which group", leads, "primary_acl_group", "create", "decides_access"],
    ["whether it is personal", { ...leads, personalFlag: "rating" }, "rating", "set", "decides_access"],
  ])("%s", (_, type, name, effect, code) => {
    expect(effectRefusal(type, name, effect)?.code).toBe(code);
  });

  test("is nothing of a type that takes no workflow", () => {
    const users = snapshot.types.get("access_controls/users");
    if (!users) throw new Error("there are users");
    expect([takesWorkflow(leads), takesWorkflow(users)]).toEqual([true, false]);
    expect(effectRefusal(users, "name", "set")?.code).toBe("not_by_workflow");
  });
});

test("a message prints fields, and those of what they refer to, and nothing that is hidden from everybody", () => {
  for (const path of ["name", "company_id.name", "owned_by.name"])
    expect([path, isTemplatePath(snapshot, quotes, path)]).toEqual([path, true]);
  for (const path of ["nothing", "company_id.nothing", ""])
    expect([path, isTemplatePath(snapshot, quotes, path)]).toEqual([path, false]);
});
