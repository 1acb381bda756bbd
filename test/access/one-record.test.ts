// What is asked about a record that is named looks up that record's own access set, however many sets there are.
import { expect, test } from "vitest";
import { compile, type Sql } from "../../server/database/sql.ts";
import { buildSnapshot, requireType } from "../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { testCaller } from "../../server/plan/column-fixture.ts";
import { planRead } from "../../server/plan/plan-read.ts";
import { compileDisplayTexts } from "../../server/query/display-texts.ts";
import { heldFile } from "../../server/query/held-file.ts";
import { lockRecords } from "../../server/query/lock-rows.ts";
import { compileRead } from "../../server/query/read-record.ts";
import { rightsOfRecord } from "../../server/query/record-access.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const caller = testCaller({ operations: { "*": ["index", "view", "edit", "delete", "comment"] } });

test.each<[what: string, statement: Sql]>([
  ["a view", compileRead(planRead(snapshot, leads, caller, "7"))],
  ["a save", lockRecords(leads, caller, ["7"], ["id"])],
  ["a change of many", lockRecords(leads, caller, ["7", "8"], ["id"])],
  ["who has access", rightsOfRecord(caller, leads, "7")],
  ["a file", heldFile(caller, leads, "7", "picture")],
  ["names", compileDisplayTexts(caller, [{ type: leads, ids: ["7", "8"] }])],
])("%s asks for no set but that of the record", (_, statement) => {
  const { text } = compile(statement);
  const asked = text.split("core__acl_sets").slice(1);
  expect(asked.length).toBeGreaterThan(0);
  for (const condition of asked)
    expect(condition).toMatch(
      /^ where organization_id = \$\d+::bigint and record_type = \$\d+ and id = "r"\."acl_id"\) is true/,
    );
});
