// Undoing an edit after the record has moved on: by one's own other edits, by somebody else, or by an answer that was lost.
import { expect, test } from "vitest";
import { Unreachable, WireFailure } from "../../../client/transport/wire-failure.ts";
import { putBack } from "./put-back.ts";

const edit = {
  alias: "leads",
  id: "7",
  revision: "2",
  values: { rating: "cold" as string | null },
  wrote: { rating: "hot" as string | null },
};

/** A service that has one record, and refuses a save on an older revision. */
function serviceWith(record: { revision: string; rating: string | null; city: string }) {
  const stored = { ...record };
  const change = async ({ revision, values }: { revision: string | undefined; values: object }) => {
    if (revision !== stored.revision) {
      const body = { errors: ["Changed"], current: { leads: { ...stored } }, differences: [] };
      throw new WireFailure(409, body as object, new Headers());
    }
    Object.assign(stored, values, { revision: String(Number(revision) + 1) });
  };
  return { stored, change };
}

test("one after the other, edits of one record are undone although each left another revision", async () => {
  const { stored, change } = serviceWith({ revision: "3", rating: "hot", city: "Kiruna" });
  const city = { ...edit, revision: "3", values: { city: "Umeå" }, wrote: { city: "Kiruna" } };
  await putBack(city, change);
  await putBack(edit, change);
  expect(stored).toEqual({ revision: "5", rating: "cold", city: "Umeå" });
});

test.each([
  ["wrote something else there", "warm"],
  ["emptied it", null],
])("what somebody else did stays: %s", async (_, rating) => {
  const { stored, change } = serviceWith({ revision: "3", rating, city: "Kiruna" });
  await expect(putBack(edit, change)).rejects.toThrow("Changed");
  expect(stored).toMatchObject({ revision: "3", rating });
});

test("an edit that emptied a field is undone", async () => {
  const { stored, change } = serviceWith({ revision: "3", rating: "", city: "Kiruna" });
  await putBack({ ...edit, wrote: { rating: null } }, change);
  expect(stored.rating).toBe("cold");
});

test("what was put back already is not sent again", async () => {
  const { stored, change } = serviceWith({ revision: "3", rating: "cold", city: "Kiruna" });
  await putBack(edit, change);
  expect(stored.revision).toBe("3");
});

test("others who save all the time end it, and a lost connection is not a conflict", async () => {
  let saved = 3;
  let calls = 0;
  const busy = async () => {
    calls++;
    const current = { leads: { revision: String(saved++), rating: "hot" } };
    throw new WireFailure(409, { errors: ["Changed"], current, differences: [] } as object, new Headers());
  };
  await expect(putBack(edit, busy)).rejects.toThrow("Changed");
  expect(calls).toBe(4);
  await expect(putBack(edit, () => Promise.reject(new Unreachable("away")))).rejects.toThrow(Unreachable);
});
