import { expect, test } from "vitest";
import type { RecordTypeSchema, SchemaField } from "../../../client/design/record-types.ts";
import { asOffered, findField } from "./field-path.ts";

const schema = (key: string, fields: readonly string[], more: object = {}): RecordTypeSchema =>
  ({
    recordType: { key, display_field: `${key.split("/")[1]}.name` },
    fields: fields.map((name) => ({ name, label: name.toUpperCase() })),
    belongsTo: [],
    hasMany: [],
    hasManyThrough: [],
    ...more,
  }) as unknown as RecordTypeSchema;

const schemas: Readonly<Record<string, RecordTypeSchema>> = {
  "crm/leads": schema("crm/leads", ["name", "owned_by"], {
    belongsTo: [{ name: "owned_by", label: "Owner", type: "access_controls/users", via: "owned_by" }],
    hasMany: [{ name: "comments", label: "Comments", type: "core/comments" }],
  }),
  "access_controls/users": schema("access_controls/users", ["name"]),
  "core/comments": schema("core/comments", ["body"]),
};

const find = (name: string) =>
  findField(async (key) => schemas[key] ?? Promise.reject(new Error(key)), "crm/leads", name);

test("names of columns are found with their labels, however they are spelt", async () => {
  expect(await find("leads.name")).toMatchObject({ column: "leads.name", labels: ["NAME"], isMany: false });
  expect(await find("name")).toMatchObject({ column: "leads.name" });
  expect(await find("{{MODEL}}.name")).toMatchObject({ column: "leads.name" });
  expect(await find("leads.owned_by.name")).toMatchObject({ labels: ["Owner", "NAME"], isMany: false });
  expect(await find("owned_by_user.name")).toMatchObject({ labels: ["Owner", "NAME"] });
  expect(await find("leads.comments.body")).toMatchObject({ labels: ["Comments", "BODY"], isMany: true });
  expect(await find("leads.nothing")).toBeUndefined();
  expect(await find("leads.nowhere.name")).toBeUndefined();
});

test("stage and owner are offered first, what the service keeps for itself last", () => {
  const field = (name: string, system = false) => ({ field: { name, system } as SchemaField });
  const { business, system } = asOffered(
    [field("id", true), field("owned_by"), field("current_stage", true), field("name"), field("amount")],
    10,
  );
  expect(business.map(({ field: { name } }) => name)).toEqual(["owned_by", "current_stage", "name", "amount"]);
  expect(system.map(({ field: { name } }) => name)).toEqual(["id"]);
});
