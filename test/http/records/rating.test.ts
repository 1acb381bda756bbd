// Ratings on the wire: what is taken and refused, how lists compare, sort, group and sum them up, and what leaves the service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const definition = JSON.stringify({
    module: "lab",
    controller: "reviews",
    label: "Review",
    plural: "Reviews",
    displayField: "name",
    fields: [
      { name: "name", type: "short-text" },
      { name: "stars", type: "rating", settings: { max: 7 } },
      { name: "usual", type: "rating" },
    ],
    access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
  });
  expect((await service.post("/metadata/record_types/save.json", { definition }, admin)).body.errors).toEqual([]);
  for (const [name, stars] of [
    ["One", "1"],
    ["Three", "3"],
    ["Seven", "7"],
    ["Other seven", 7],
    ["None", ""],
  ] as const) {
    expect((await add({ name, stars })).body.errors).toEqual([]);
  }
});
afterAll(() => service.stop());

const add = (reviews: Record<string, unknown>) =>
  service.post("/lab/reviews/add.json", { data: { reviews, action: { save_progress: "Save" } } }, admin);
const listed = async (query: Record<string, unknown>, token = admin) => {
  const text = encodeURIComponent(JSON.stringify(query));
  const { body } = await service.get(`/lab/reviews/index.json?track_open=0&listview_query=${text}`, token);
  expect(body.errors).toEqual([]);
  return { ...body.paginate, rows: body.paginate.data };
};
const namesOf = async (where: unknown) =>
  (await listed({ fields: ["reviews.name"], where, order: ["reviews.name ASC"] })).rows.map(
    (row: Record<string, string>) => row["reviews.name"],
  );

test.each(["0", "8", "-1", "2.5", "many", "3/7"])("a rating of %j is refused with what it needs", async (stars) => {
  const { status, body } = await add({ name: "Refused", stars });
  expect([status, body.errors]).toEqual([422, expect.arrayContaining(["Stars must be a whole number from 1 to 7"])]);
});

test.each([
  [2, "must be at least 3"],
  [11, "must be at most 10"],
])("a field of %i stars is refused", async (max, sentence) => {
  const definition = JSON.stringify({
    module: "lab",
    controller: "refused",
    label: "R",
    plural: "Rs",
    displayField: "name",
    fields: [
      { name: "name", type: "short-text" },
      { name: "stars", type: "rating", settings: { max } },
    ],
    access: { read: [], edit: [], delete: [], comment: [] },
  });
  const { status, body } = await service.post("/metadata/record_types/save.json", { definition }, admin);
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(sentence)]);
});

test("clients are told how many stars there are, wherever they show one", async () => {
  const { body } = await service.get("/metadata/schema/index.json?search_controller=lab/reviews", admin);
  const told = Object.fromEntries(
    body.data.schema.map(({ name, settings }: { name: string; settings?: unknown }) => [name, settings]),
  );
  expect(told).toMatchObject({ stars: { max: 7 }, usual: { max: 5 } });
  expect(told.name).toBeUndefined();
  const { header } = await listed({ fields: ["reviews.stars"] });
  expect(header[0]).toMatchObject({ type: "rating", settings: { max: 7 } });
});

test("ratings are compared as numbers, also with what no field holds", async () => {
  expect(await namesOf({ "reviews.stars": { op: ">=", value: "3" } })).toEqual(["Other seven", "Seven", "Three"]);
  expect(await namesOf({ "reviews.stars": { op: "<", value: "100" } })).toHaveLength(4);
  expect(await namesOf({ "reviews.stars": { op: "is null" } })).toEqual(["None"]);
  const sent = encodeURIComponent(JSON.stringify({ where: { "reviews.stars": "99999" } }));
  expect((await service.get(`/lab/reviews/index.json?q=${sent}`, admin)).status).toBe(400);
});

test("ratings are sorted, grouped and averaged; what has none does not count", async () => {
  const { rows } = await listed({ fields: ["reviews.name"], order: ["reviews.stars DESC", "reviews.name ASC"] });
  expect(
    rows.map((row: Record<string, string>) => row["reviews.name"]).filter((name: string) => name !== "None"),
  ).toEqual(["Other seven", "Seven", "Three", "One"]);
  const groups = await listed({
    fields: ["reviews.stars", "count(reviews.id)"],
    group: ["reviews.stars"],
    order: ["reviews.stars ASC"],
  });
  expect(groups.rows.map((row: Record<string, string>) => [row["reviews.stars"], row["count(reviews.id)"]])).toEqual(
    expect.arrayContaining([
      ["1", "1"],
      ["3", "1"],
      ["7", "2"],
    ]),
  );
  const whole = await listed({ fields: ["avg(reviews.stars)"] });
  expect(Number(whole.rows[0]["avg(reviews.stars)"])).toBe(4.5);
});

test("below a column of ratings stands their average", async () => {
  const columns = { "reviews.stars": { compute_column_total: "1" }, "reviews.usual": { compute_column_total: "1" } };
  const query = { fields: ["reviews.name", "reviews.stars", "reviews.usual"], columns };
  const totals = async (more: object) => {
    const { header } = await listed({ ...query, ...more });
    return header.slice(1).map((column: Record<string, unknown>) => [column.column_total, column.column_total_text]);
  };
  expect(await totals({})).toEqual([
    [4.5, "4.5"],
    [null, null],
  ]);
  const some = { where: { "reviews.stars": { op: "in", value: ["1", "3", "7"] } } };
  expect(await totals(some)).toEqual([
    [4.5, "4.5"],
    [null, null],
  ]);
  const three = { where: { "reviews.name": { op: "in", value: ["One", "Three", "Seven"] } } };
  expect(await totals(three)).toEqual([
    [3.6667, "3.6667"],
    [null, null],
  ]);
});

test("a rating leaves the service as a number", async () => {
  const query = encodeURIComponent(
    JSON.stringify({ fields: ["reviews.name", "reviews.stars"], order: ["reviews.name"] }),
  );
  const response = await fetch(`${service.url}/lab/reviews/export.json?format=csv&q=${query}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(await response.text()).toContain("Three,3\r\n");
});

test("a rating is cleared by nothing", async () => {
  const { body } = await add({ name: "Changed", stars: "4" });
  const edit = (stars: unknown) =>
    service.post(
      "/lab/reviews/edit.json",
      { data: { reviews: { id: body.id, stars }, action: { save_progress: "Save" } } },
      admin,
    );
  expect((await edit(null)).body.errors).toEqual([]);
  const view = await service.get(`/lab/reviews/view.json?id=${body.id}`, admin);
  expect(view.body.data.reviews.stars).toBeNull();
});
