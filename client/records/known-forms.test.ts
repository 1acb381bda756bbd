import { expect, test } from "vitest";
import { createTransport } from "../transport/transport.ts";
import { type FormElement, readRecord, saveRecord } from "./records.ts";

const action = { name: ["save_progress"], label: "Save" } as unknown as FormElement;

/** A service whose form is `version`; gives what it was asked. */
function serviceOf(version: () => string) {
  const asked: (string | null)[] = [];
  const call = createTransport({
    fetch: async (input) => {
      const { searchParams, pathname } = new URL(String(input), "https://one.example");
      asked.push(searchParams.get("form"));
      const body = { id: "7", form_version: version(), message: [pathname], errors: [] };
      const isKnown = searchParams.get("form") === version();
      return Response.json(isKnown ? body : { ...body, form: { name: version() }, labels: {} });
    },
  });
  return { call, asked };
}

test("a form that was sent is not sent again, and is there all the same", async () => {
  let version = "one";
  const { call, asked } = serviceOf(() => version);
  const read = () => readRecord(call, "crm/leads", "view", "7");
  expect((await read()).form).toEqual({ name: "one" });
  expect((await read()).form).toEqual({ name: "one" });
  version = "two";
  expect((await read()).form).toEqual({ name: "two" });
  expect((await read()).form).toEqual({ name: "two" });
  expect(asked).toEqual([null, "one", "one", "two"]);
});

test("the answer of a save is filled in from the form of the view", async () => {
  const { call, asked } = serviceOf(() => "one");
  await readRecord(call, "crm/leads", "view", "7");
  const request = { alias: "leads", id: "7", revision: "1", values: {}, action };
  expect((await saveRecord(call, "crm/leads", request)).form).toEqual({ name: "one" });
  expect(asked).toEqual([null, "one"]);
});

test("a kept answer about a form that is unknown is followed by the record with its form", async () => {
  const asked: string[] = [];
  const call = createTransport({
    fetch: async (input) => {
      asked.push(String(input));
      const whole = { id: "7", form_version: "new", form: { name: "new" }, message: [], errors: [] };
      const { form: _, ...known } = { ...whole, message: ["Saved"] };
      return Response.json(asked.length === 1 ? known : whole);
    },
  });
  const request = { alias: "leads", id: "7", revision: "1", values: {}, action };
  const saved = await saveRecord(call, "crm/leads", request);
  expect(saved).toMatchObject({ form: { name: "new" }, message: ["Saved"] });
  expect(asked).toEqual(["/crm/leads/edit.json", "/crm/leads/view.json?id=7"]);
});
