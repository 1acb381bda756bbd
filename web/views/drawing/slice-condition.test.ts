import { expect, test } from "vitest";
import { nextPeriod, sliceCondition } from "./slice-condition.ts";

const header = { column_name: "leads.status", type: "choice" } as const;

test("a group is met by its value, an empty one by being empty", () => {
  expect(sliceCondition(header, "new", "UTC")).toEqual({ "leads.status": "new" });
  expect(sliceCondition(header, null, "UTC")).toEqual({ "leads.status": { op: "is null" } });
});

test("a period of dates ends with its last day, one of instants with its last second where the reader lives", () => {
  const month = { column_name: "month(leads.closed)", period: "month" };
  expect(sliceCondition({ ...month, type: "date" }, "2028-02-01", "UTC")).toEqual({
    "leads.closed": { op: "between", value: ["2028-02-01", "2028-02-29"] },
  });
  expect(sliceCondition({ ...month, type: "date-time" }, "2026-03-01", "Europe/Berlin")).toEqual({
    "leads.closed": { op: "between", value: ["2026-02-28 23:00:00", "2026-03-31 21:59:59"] },
  });
});

test("periods follow on each other over the ends of months and years", () => {
  expect(nextPeriod("2026-12-28", "week")).toBe("2027-01-04");
  expect(nextPeriod("2026-10-01", "quarter")).toBe("2027-01-01");
  expect(nextPeriod("2026-02-28", "day")).toBe("2026-03-01");
});
