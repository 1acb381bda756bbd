import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { writeAll } from "../../contract/texts/write.ts";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { sql } from "../database/sql.ts";
import { prepareDatabase } from "../prepare.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import type { DesignRequest } from "./changes/design-request.ts";
import type { FieldDefinition, RecordTypeDefinition } from "./record-type.ts";
import { requireType } from "./snapshot.ts";
import type { MetadataStore } from "./store.ts";

let database: TestDatabase;
let metadata: MetadataStore;
let count = 0;
/** Each test designs a type of its own. */
let controller = "";

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
});
afterAll(() => database.close());
beforeEach(() => {
  count += 1;
  controller = `things_${count}`;
});

const name: FieldDefinition = { name: "name", type: "short-text", searchable: true };
const define = (
  fields: readonly FieldDefinition[],
  more: Partial<RecordTypeDefinition> = {},
): RecordTypeDefinition => ({
  module: "lab",
  controller,
  label: "Thing",
  plural: "Things",
  displayField: "name",
  fields: [name, ...fields],
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  ...more,
});
const save = (definition: RecordTypeDefinition, wishes: Omit<DesignRequest, "definition"> = {}) =>
  metadata.save({ definition, readable: () => sql`true`, ...wishes });
const key = () => `lab/${controller}`;
const table = () => `lab__${controller}`;
const insert = (rows: readonly ColumnValues[]) =>
  database.db.transaction((transaction) =>
    insertRows(transaction, metadata.current(), requireType(metadata.current(), key()), "1", rows),
  );
const columns = async (): Promise<Record<string, string>> => {
  const rows = await database.db.rows(sql`
    select column_name as name, data_type as type from information_schema.columns where table_name = ${table()}`);
  return Object.fromEntries(rows.map((row) => [row.name, row.type ?? ""]));
};
const values = async (field: string): Promise<(string | null | undefined)[]> => {
  const { rows } = await database.db.run(sql`select to_jsonb(t) ->> ${field} from (
    select * from lab_values(${table()}) as t) t`);
  return rows.map(([value]) => value);
};
const kept = () =>
  database.db.rows(sql`
    select field, value from metadata__discarded_values where record_type = ${key()} order by id`);
async function refusal(saving: Promise<unknown>): Promise<Failure> {
  const error = await saving.then(
    () => new Error("it was saved"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error;
}

// Tables are named by the test at run time: one function reads any of them.
beforeAll(() =>
  database.db.script(`create function lab_values(wanted text) returns setof jsonb language plpgsql as
    $$ begin return query execute format('select to_jsonb(t) from %I t order by id', wanted); end $$`),
);

describe("a change that only adds", () => {
  test("needs no wish, keeps every row, and gives new columns to old rows", async () => {
    await save(define([]));
    await insert([{ name: "a" }, { name: "b" }]);
    const result = await save(define([{ name: "size", type: "integer" }], { indexes: [["size"]] }));
    expect(result).toEqual({ key: key(), discardedValues: 0, convertedValues: 0, renamed: {}, removed: [] });
    expect(await columns()).toMatchObject({ name: "text", size: "bigint" });
    expect(await values("name")).toEqual(["a", "b"]);
  });

  test("can be saved again and again without touching anything", async () => {
    const definition = define([{ name: "size", type: "integer" }]);
    await save(definition);
    const before = await columns();
    await save(definition);
    expect(await columns()).toEqual(before);
  });
});

describe("a field that is missing", () => {
  test("is refused by name, and everything stays", async () => {
    await save(define([{ name: "size", type: "integer" }]));
    await insert([{ name: "a", size: "7" }]);
    const failure = await refusal(save(define([]), { discard: ["other"] }));
    expect(failure).toMatchObject({
      code: "definition_refused",
      message: expect.stringContaining("the field size is missing"),
    });
    expect(await values("size")).toEqual(["7"]);
    expect(requireType(metadata.current(), key()).field.has("size")).toBe(true);
  });

  test("goes when it may, with its values kept aside", async () => {
    await save(
      define([
        { name: "size", type: "integer" },
        { name: "note", type: "long-text" },
      ]),
    );
    await insert([
      { name: "a", size: "7" },
      { name: "b", size: null },
      { name: "c", size: "9", note: "stays" },
    ]);
    const result = await save(define([{ name: "note", type: "long-text" }]), { discard: ["size"] });
    expect(result.discardedValues).toBe(2);
    expect(await values(`_removed_${result.removed[0]}_0`)).toEqual(["7", null, "9"]);
    expect(await columns()).not.toHaveProperty("size");
    expect(await values("note")).toEqual([null, null, "stays"]);
  });

  test("may come back under the same name and another type", async () => {
    await save(define([{ name: "size", type: "integer" }]));
    await insert([{ name: "a", size: "7" }]);
    await save(define([]), { discard: ["size"] });
    await save(define([{ name: "size", type: "date" }]));
    expect(await columns()).toMatchObject({ size: "date" });
    expect(await values("size")).toEqual([null]);
  });

  test("takes searchable text with it", async () => {
    await save(define([{ name: "note", type: "long-text", searchable: true }]));
    await insert([{ name: "findable", note: "secret words" }]);
    await save(define([]), { discard: ["note"] });
    expect(String(await values("search_text"))).toContain("findable");
    expect(String(await values("search_text"))).not.toContain("secret");
  });
});

describe("a field that changes its type", () => {
  const text = define([{ name: "size", type: "short-text" }]);

  test("is refused unless it may, and says from what to what", async () => {
    await save(define([{ name: "size", type: "short-text" }]));
    const failure = await refusal(save(define([{ name: "size", type: "integer" }])));
    expect(failure.message).toMatch(/the field size would change from .* to .*\. Name it in "convert"/);
    expect(await columns()).toMatchObject({ size: "text" });
  });

  test("is converted when every value fits, whatever other fields are called", async () => {
    const value: FieldDefinition = { name: "value", type: "integer" };
    await save({ ...text, fields: [...text.fields, value], controller });
    await insert([
      { name: "a", size: "7" },
      { name: "b", size: null },
      { name: "c", size: "1200" },
    ]);
    const result = await save(define([{ name: "size", type: "integer" }, value]), { convert: ["size"] });
    expect(result.convertedValues).toBe(2);
    expect(await columns()).toMatchObject({ size: "bigint" });
    expect(await values("size")).toEqual(["7", null, "1200"]);
    expect(await kept()).toHaveLength(2);
  });

  test("is refused with examples when a value does not fit, and everything stays as it was", async () => {
    await save(define([{ name: "size", type: "short-text" }]));
    const [, second = "", third = ""] = await insert([
      { name: "a", size: "7" },
      { name: "b", size: "large" },
      { name: "c", size: "12.5" },
    ]);
    const failure = await refusal(save(define([{ name: "size", type: "integer" }]), { convert: ["size"] }));
    expect(failure.message).toMatch(/Size: 2 of 3 values don't fit/);
    expect(writeAll(failure.detail.errors ?? [], "en")).toEqual([
      expect.stringContaining(`record ${second}: "large"`),
      expect.stringContaining(`record ${third}: "12.5"`),
    ]);
    expect(await values("size")).toEqual(["7", "large", "12.5"]);
    expect(await kept()).toEqual([]);
    expect(requireType(metadata.current(), key()).field.get("size")?.type).toBe("short-text");
  });

  test("keeps its index", async () => {
    await save(define([{ name: "size", type: "short-text" }], { indexes: [["size"]] }));
    await insert([{ name: "a", size: "7" }]);
    await save(define([{ name: "size", type: "integer" }], { indexes: [["size"]] }), { convert: ["size"] });
    const rows = await database.db.rows(sql`
      select indexdef as text from pg_indexes where tablename = ${table()} and indexdef like '%(organization_id, size)'`);
    expect(rows).toHaveLength(1);
  });
});

describe("uniqueness", () => {
  test("that the records already break is refused, not an error", async () => {
    await save(define([{ name: "code", type: "short-text" }]));
    await insert([
      { name: "a", code: "same" },
      { name: "b", code: "same" },
    ]);
    const failure = await refusal(save(define([{ name: "code", type: "short-text", unique: true }])));
    expect(failure).toMatchObject({ code: "definition_refused", message: expect.stringContaining("code") });
  });

  test("that values would break as another type spells them is refused, and everything stays", async () => {
    await save(define([{ name: "code", type: "short-text", unique: true }]));
    await insert([
      { name: "a", code: "example.com" },
      { name: "b", code: "https://example.com" },
    ]);
    const failure = await refusal(save(define([{ name: "code", type: "url", unique: true }]), { convert: ["code"] }));
    expect(failure).toMatchObject({ code: "definition_refused", message: expect.stringContaining("code") });
    expect(await values("code")).toEqual(["example.com", "https://example.com"]);
    expect(await kept()).toEqual([]);
  });

  test("ends when the definition no longer asks for it", async () => {
    await save(define([{ name: "code", type: "short-text", unique: true }]));
    await insert([{ name: "a", code: "same" }]);
    await expect(insert([{ name: "b", code: "same" }])).rejects.toThrow();
    await save(define([{ name: "code", type: "short-text" }]));
    await insert([{ name: "b", code: "same" }]);
    expect(await values("code")).toEqual(["same", "same"]);
  });
});

describe("a reference that is to point elsewhere", () => {
  const to = (type: string) => define([{ name: "other_id", type: "reference", settings: { to: type } }]);

  test("is a change of type, and is refused unless it may", async () => {
    await save(to("crm/companies"));
    const failure = await refusal(save(to("crm/peoples")));
    expect(failure.message).toContain("the field other_id would change");
  });

  test("points there once it may", async () => {
    await save(to("crm/companies"));
    await save(to("crm/peoples"), { convert: ["other_id"] });
    const keys = await database.db.rows(sql`
      select confrelid::regclass::text as target from pg_constraint
      where conrelid = to_regclass(${table()}) and contype = 'f' and conname like '%other_id%'`);
    expect(keys).toEqual([{ target: "crm__peoples" }]);
  });
});

describe("a type", () => {
  test("whose ids are to be of another kind is refused, not an error", async () => {
    await save(define([]));
    expect(await refusal(save(define([], { idKind: "uuid" })))).toMatchObject({ code: "definition_refused" });
  });

  test("taken out of service keeps its records, and comes back with them", async () => {
    await save(define([{ name: "size", type: "integer" }]));
    await insert([{ name: "a", size: "7" }]);
    await metadata.remove(key());
    expect(metadata.current().types.has(key())).toBe(false);
    await save(define([{ name: "size", type: "integer" }]));
    expect(await values("size")).toEqual(["7"]);
  });

  test("that comes back with other columns than its table has is refused, not an error", async () => {
    await save(define([{ name: "size", type: "integer" }]));
    await metadata.remove(key());
    const failure = await refusal(save(define([{ name: "size", type: "date" }])));
    expect(failure).toMatchObject({ code: "definition_refused", message: expect.stringContaining("size") });
  });

  test("that others refer to cannot be removed", async () => {
    await save(define([]));
    const target = key();
    controller = `${controller}_children`;
    await save(define([{ name: "parent_id", type: "reference", settings: { to: target } }]));
    expect(await refusal(metadata.remove(target))).toMatchObject({ code: "definition_refused" });
    expect(metadata.current().types.has(target)).toBe(true);
  });

  test.each(["acl_sets", "auto_numbers", "changes"])("cannot take the service's own table core__%s", async (own) => {
    const failure = await refusal(save({ ...define([]), module: "core", controller: own }));
    expect(failure).toMatchObject({ code: "definition_refused", message: expect.stringContaining(`core__${own}`) });
  });

  test("that is built in, or shared by all, is not saved", async () => {
    const leads = { ...define([]), module: "crm", controller: "leads" };
    expect((await refusal(save(leads))).message).toContain("is part of the built-in record type");
    expect((await refusal(save(define([], { scope: "shared" })))).message).toContain(
      "shared record types are built in",
    );
  });

  test("that does not exist cannot be removed", async () => {
    expect(await refusal(metadata.remove("lab/nothing"))).toMatchObject({ code: "unknown_controller" });
  });
});
