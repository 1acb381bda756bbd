// Who redesigns a record type is told of values that stand in the way, but only of records that they may read: not of
// confidential ones, and not of another organization's.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let stranger: Person;
let colleague: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  stranger = await addOrganization(service, "elsewhere");
  colleague = await addPerson(service, "colleague", ["administrator"]);
});
afterAll(() => service.stop());

const design = (operation: string, type: string, controller: string, more: Record<string, unknown> = {}) =>
  service.post(
    `/metadata/record_types/${operation}.json`,
    {
      definition: JSON.stringify({
        module: "lab",
        controller,
        label: "Sample",
        plural: "Samples",
        displayField: "name",
        fields: [
          { name: "name", type: "short-text" },
          { name: "size", type },
        ],
        access: { read: ["owner"], edit: ["owner"], delete: [], comment: [] },
        ...more,
      }),
      convert: "size",
    },
    admin,
  );

const add = (controller: string, size: string, token: string) =>
  service.post(
    `/lab/${controller}/add.json`,
    { data: { [controller]: { name: size, size }, action: { save_continue: "Save" } } },
    token,
  );

test.each([
  ["another organization's", "samples", {}, () => stranger.token],
  ["a colleague's confidential", "secrets", { confidential: true }, () => colleague.token],
] as const)("%s values are counted and not told", async (_, controller, more, token) => {
  expect((await design("save", "short-text", controller, more)).status).toBe(200);
  expect((await add(controller, "Told", admin)).status).toBe(200);
  expect((await add(controller, "Untold", token())).status).toBe(200);
  const told = [expect.stringContaining("Told")];
  const looked = await design("check", "integer", controller, more);
  expect(looked.body.data.record_types.converted).toMatchObject([{ values: 2, refused: 2, examples: told }]);
  const saved = await design("save", "integer", controller, more);
  expect(saved.status).toBe(422);
  expect(saved.body.errors[0]).toContain("Size: 2 of 2 values don't fit");
  for (const { body } of [looked, saved]) expect(JSON.stringify(body)).not.toContain("Untold");
});
