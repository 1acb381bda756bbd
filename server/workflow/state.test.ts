// Whose turn it is, what a stage lends, who may take a transition and where it leads: each rule by itself, without a record.
import { describe, expect, test } from "vitest";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import type { Actor } from "../access/acl.ts";
import {
  type ActorContext,
  actorsAsked,
  actorsFor,
  conditionHolds,
  findTransition,
  grantsOf,
  hasChoices,
  mayTake,
  pendingActors,
  possibleNow,
  take,
  takeable,
  takersOf,
  type WorkflowState,
} from "./state.ts";
import { compiled, stageOf, transitionOf } from "./workflow-fixture.ts";

const definition: WorkflowDefinition = {
  stages: [
    { key: "draft", name: "Draft", kind: "start" },
    { key: "both", name: "Both", actors: ["owner_manager", "field:approved_by_id"], grants: ["read", "delete"] },
    { key: "one", name: "One", actors: ["role:boss"] },
    { key: "empty", name: "Empty", actors: ["field:approved_by_id"], grants: [] },
    { key: "done", name: "Done", kind: "end" },
  ],
  transitions: [
    { name: "submit", label: "Submit", from: "draft", to: "both", condition: "discount > 10" },
    { name: "hand_in", label: "Hand in", from: "draft", to: "one", by: ["owner", "field:approved_by_id"] },
    { name: "approve", label: "Approve", from: "both", to: "done", kind: "approve", needs: "all" },
    { name: "reject", label: "Reject", from: ["both", "one"], to: "draft", kind: "reject" },
    { name: "recall", label: "Recall", from: "one", to: "draft", kind: "recall" },
    { name: "accept", label: "Accept", from: "one", to: "done", kind: "approve" },
    { name: "file", label: "File", from: "empty", to: "done" },
    {
      name: "convert",
      label: "Convert",
      from: "draft",
      to: "empty",
      effects: [{ create: "crm/companies", as: "company", offer: ["skip"], values: { name: "name" } }],
    },
    {
      name: "copy",
      label: "Copy",
      from: "draft",
      to: "done",
      effects: [{ create: "crm/companies", values: { name: "name" } }, { set: { name: "name" } }],
    },
  ],
};
const workflow = compiled(definition);
const at = (key: string, ...agreed: Actor[]): WorkflowState => ({ workflow, stage: stageOf(workflow, key), agreed });
const reading = (values: Record<string, string | null>) => (name: string) => values[name] ?? null;
const nobody = reading({});
const approver = reading({ approved_by_id: "8" });
const being = (...actors: Actor[]): ActorContext => ({ mayEdit: false, holds: (actor) => actors.includes(actor) });
const editor: ActorContext = { mayEdit: true, holds: () => false };

describe("actors", () => {
  test("are taken as they are, a user field by whom it names, each once", () => {
    expect(actorsFor(["owner", "field:approved_by_id", "role:boss", "user:8", "owner"], approver)).toEqual([
      "owner",
      "user:8",
      "role:boss",
    ]);
    expect(actorsFor(["field:approved_by_id"], nobody)).toEqual([]);
    expect(actorsFor(["field:approved_by_id"], reading({ approved_by_id: "" }))).toEqual([]);
  });

  test("wait until they have agreed", () => {
    expect(pendingActors(at("both"), approver)).toEqual(["owner_manager", "user:8"]);
    expect(pendingActors(at("both", "owner_manager"), approver)).toEqual(["user:8"]);
    expect(pendingActors(at("draft"), approver)).toEqual([]);
  });

  test("are asked about of a stage with all its ways out", () => {
    expect(actorsAsked(at("one"), approver)).toEqual(["role:boss", "owner"]);
    expect(actorsAsked(at("draft"), approver)).toEqual(["owner", "user:8"]);
  });
});

describe("what a stage lends", () => {
  test("are the rights that it names, to all its actors; whose turn it is are those who have not agreed", () => {
    expect(grantsOf(at("both", "owner_manager"), approver)).toEqual({
      read: ["owner_manager", "user:8"],
      edit: [],
      delete: ["owner_manager", "user:8"],
      act: ["user:8"],
    });
  });

  test("is reading and editing unless it says otherwise", () => {
    expect(grantsOf(at("one"), nobody)).toEqual({
      read: ["role:boss"],
      edit: ["role:boss"],
      delete: [],
      act: ["role:boss"],
    });
    expect(grantsOf(at("empty"), approver)).toMatchObject({ read: ["user:8"], edit: [], delete: [] });
  });

  test("is nothing where nobody acts", () => {
    expect(grantsOf(at("draft"), approver)).toEqual({ read: [], edit: [], delete: [] });
    expect(grantsOf(at("empty"), nobody)).toEqual({ read: [], edit: [], delete: [] });
  });
});

describe("a transition", () => {
  const out = (key: string, name: string) => transitionOf(stageOf(workflow, key), name);

  test("is taken by whom it names, by the actors of its stage, or by whoever may edit", () => {
    expect(takersOf(at("draft"), out("draft", "hand_in"), approver)).toEqual(["owner", "user:8"]);
    expect(takersOf(at("one"), out("one", "accept"), approver)).toEqual(["role:boss"]);
    expect(takersOf(at("one"), out("one", "recall"), approver)).toEqual(["owner"]);
    expect(takersOf(at("draft"), out("draft", "submit"), approver)).toBeUndefined();
  });

  test("that needs all is taken by those who have not agreed; others of the stage by every actor", () => {
    expect(takersOf(at("both", "owner_manager"), out("both", "approve"), approver)).toEqual(["user:8"]);
    expect(takersOf(at("both", "owner_manager"), out("both", "reject"), approver)).toEqual(["owner_manager", "user:8"]);
  });

  test("of a stage whose actors are nobody now is nobody's, not everybody's", () => {
    expect(takersOf(at("empty"), out("empty", "file"), nobody)).toEqual([]);
    expect(mayTake(at("empty"), out("empty", "file"), editor, nobody)).toBe(false);
    expect(mayTake(at("empty"), out("empty", "file"), being("user:8"), approver)).toBe(true);
  });

  test("is open to editors only where nobody is named", () => {
    expect(mayTake(at("draft"), out("draft", "submit"), editor, nobody)).toBe(true);
    expect(mayTake(at("draft"), out("draft", "submit"), being("owner"), nobody)).toBe(false);
    expect(mayTake(at("draft"), out("draft", "hand_in"), editor, nobody)).toBe(false);
    expect(mayTake(at("draft"), out("draft", "hand_in"), being("owner"), nobody)).toBe(true);
    expect(takeable(at("draft"), being("owner"), nobody).map(({ name }) => name)).toEqual(["hand_in"]);
  });

  test("is possible while its condition holds for what is sent", () => {
    expect(conditionHolds(out("draft", "submit"), reading({ discount: "11" }))).toBe(true);
    expect(conditionHolds(out("draft", "submit"), reading({ discount: "10" }))).toBe(false);
    expect(conditionHolds(out("draft", "hand_in"), nobody)).toBe(true);
    const names = (sent: string) =>
      possibleNow(at("draft"), editor, nobody, reading({ discount: sent })).map(({ name }) => name);
    expect(names("11")).toEqual(["submit", "convert", "copy"]);
    expect(names("9")).toEqual(["convert", "copy"]);
  });

  test("is found by its name as actions are written, among those of its stage", () => {
    expect(findTransition(at("draft"), "handin")?.label).toBe("Hand in");
    expect(findTransition(at("one"), "handin")).toBeUndefined();
  });

  test("offers choices where a record that it creates can be chosen about", () => {
    expect(hasChoices(out("draft", "convert"))).toBe(true);
    expect(hasChoices(out("draft", "copy"))).toBe(false);
    expect(hasChoices(out("draft", "submit"))).toBe(false);
  });
});

describe("taking a transition", () => {
  const approve = transitionOf(stageOf(workflow, "both"), "approve");
  const all = () => true;

  test("leads to its stage, where nobody has agreed yet", () => {
    const accept = transitionOf(stageOf(workflow, "one"), "accept");
    const taken = take(at("one", "user:9"), accept, being("role:boss"), nobody, all);
    expect(taken).toMatchObject({ moved: true, settled: [], state: { agreed: [] } });
    expect(taken.state.stage.key).toBe("done");
  });

  test("that needs all is a vote until the last of them", () => {
    const first = take(at("both"), approve, being("owner_manager"), approver, all);
    expect(first).toMatchObject({ moved: false, settled: ["owner_manager"], state: { agreed: ["owner_manager"] } });
    expect(first.state.stage.key).toBe("both");
    const second = take(first.state, approve, being("user:8"), approver, all);
    expect(second).toMatchObject({ moved: true, settled: ["user:8"], state: { agreed: [] } });
    expect(second.state.stage.key).toBe("done");
  });

  test("counts one person for everybody that they are", () => {
    const taken = take(at("both"), approve, being("owner_manager", "user:8"), approver, all);
    expect(taken).toMatchObject({ moved: true, settled: ["owner_manager", "user:8"] });
  });

  test("does not wait for actors who are nobody", () => {
    const exists = (actor: Actor) => actor !== "owner_manager";
    expect(take(at("both"), approve, being("user:8"), approver, exists).moved).toBe(true);
    expect(take(at("both"), approve, being("owner_manager"), approver, exists).moved).toBe(false);
  });

  test("by one vote is enough where one is enough, whoever else could", () => {
    const reject = transitionOf(stageOf(workflow, "both"), "reject");
    const taken = take(at("both", "owner_manager"), reject, being("user:8"), approver, all);
    expect(taken).toMatchObject({ moved: true, settled: [], state: { agreed: [] } });
    expect(taken.state.stage.key).toBe("draft");
  });

  test("fails where its stage is not there", () => {
    const lost = { ...approve, to: "gone" };
    expect(() => take(at("both"), lost, being(), approver, all)).toThrow("the workflow w has no stage gone");
  });
});
