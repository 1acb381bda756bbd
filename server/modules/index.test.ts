import { describe, expect, it } from "vitest";
import { buildSnapshot } from "../metadata/snapshot.ts";
import { builtInTypes } from "./index.ts";

const systemFields = [
  "id",
  "organization_id",
  "created",
  "created_by",
  "modified",
  "modified_by",
  "owned_by",
  "primary_acl_group",
  "revision",
  "business_key",
  "category_id",
  "deleted",
  "acl",
];
const types = new Map(builtInTypes.map((type) => [`${type.module}/${type.controller}`, type]));
const named = [...types].map(([key, type]) => ({ key, type }));
const fieldOf = (key: string, name: string) => types.get(key)?.fields.find((field) => field.name === name);

describe("the built-in record types", () => {
  it("compile", () => expect(buildSnapshot(builtInTypes, [], "test").types.size).toBe(builtInTypes.length));

  it("have distinct keys", () => expect(types.size).toBe(builtInTypes.length));

  it.each(named)("$key names its fields once, none of them like a system field", ({ type }) => {
    const names = type.fields.map((field) => field.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => systemFields.includes(name))).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  it.each(named)("$key displays, keeps unique and indexes fields that it has", ({ type }) => {
    const names = new Set([...type.fields.map((field) => field.name), "owned_by"]);
    for (const name of [type.displayField, ...(type.unique ?? []).flat(), ...(type.indexes ?? []).flat()]) {
      expect(names).toContain(name);
    }
  });

  it.each(named)("$key refers only to itself and to types before it", ({ key, type }) => {
    const before = [...types.keys()].slice(0, [...types.keys()].indexOf(key) + 1);
    for (const field of type.fields) if (field.type === "reference") expect(before).toContain(field.settings?.to);
  });

  it.each(named)("$key has associations that the types on the far side know of", ({ key, type }) => {
    for (const association of type.associations ?? []) {
      if (association.kind === "belongs-to-any") {
        expect(type.fields.map((field) => field.name)).toEqual(expect.arrayContaining(["related_type", "related_id"]));
        expect(type.indexes ?? type.unique).toBeDefined();
      } else if (association.kind === "has-many-polymorphic") {
        const far = types.get(association.type);
        expect(far?.associations?.some(({ kind }) => kind === "belongs-to-any")).toBe(true);
      } else if (association.kind === "has-many") {
        expect(fieldOf(association.type, association.via)?.settings?.to).toBe(key);
      } else {
        expect(fieldOf(association.through, association.via)?.settings?.to).toBe(key);
        expect(fieldOf(association.through, association.to)?.settings?.to).toBe(association.type);
      }
    }
  });

  it.each(named)("$key offers choices whose values differ, and starts with one of them", ({ type }) => {
    for (const field of type.fields) {
      if (field.type !== "choice" && field.type !== "multiple-choice") continue;
      const options = field.settings?.options;
      expect(Array.isArray(options)).toBe(true);
      const values = Array.isArray(options) ? options.map((option: { value: string }) => option.value) : [];
      expect(new Set(values).size).toBe(values.length);
      if (field.initial !== undefined) expect(values).toContain(field.initial);
    }
  });
});
