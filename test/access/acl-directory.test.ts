// Access sets in memory: what a statement shows to be old goes, what was read anew meanwhile stays.
import { expect, test } from "vitest";
import { createAclDirectory } from "../../server/access/acl-directory.ts";
import type { Caller } from "../../server/access/caller.ts";
import type { Database } from "../../server/database/database.ts";
import { buildSnapshot, requireType } from "../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../server/modules/index.ts";

const type = requireType(buildSnapshot(builtInTypes, [], "test"), "crm/leads");
const caller = {
  organizationId: "1",
  principals: [1],
  roles: [],
  isAdministrator: true,
  isOperator: false,
} as unknown as Caller;

test("a list that saw less than is kept does not make others read it again", async () => {
  let version = 10;
  let reads = 0;
  const rows = async () => {
    reads += 1;
    return [{ version: String(version), id: null }];
  };
  // Of a database only what the directory asks of it.
  const directory = createAclDirectory({ rows } as unknown as Database);
  const known = async () => (await directory.view(caller, type)).version;
  expect(await known()).toBe("10");
  version = 12;
  directory.forget("1", "11");
  expect(await known()).toBe("12");
  expect(reads).toBe(2);
  // Seventy lists that began with 10 come back and saw 11: what is kept is newer than that.
  for (let list = 0; list < 70; list += 1) directory.forget("1", "11");
  expect(await known()).toBe("12");
  expect(reads).toBe(2);
  directory.forget("2", "99");
  expect(await known()).toBe("12");
  directory.forget("1", "13");
  version = 13;
  expect(await known()).toBe("13");
  expect(reads).toBe(3);
});
