// Users and groups as rows. Roles are the standard ones, known by their codes: `role` stands where a record has `role_id`.
import { HOUR } from "./calendar.ts";
import { asciiWord } from "./mail-name.ts";
import type { DemoBatch, DemoRow, DemoValue } from "./row.ts";
import { toRow } from "./row.ts";
import { administrator, type Colleague, groups, staff } from "./staff.ts";

export function* staffBatches(start: number): Generator<DemoBatch> {
  const founded = start + 6 * HOUR;
  const row = (index: number, fields: Readonly<Record<string, DemoValue>>, owner = administrator): DemoRow =>
    toRow({ id: index + 1, created: founded, author: administrator, owner, group: null }, fields);

  yield {
    type: "access_controls/users",
    rows: staff.map((person, index) => row(index, userFields(person), index + 1)),
  };
  yield {
    type: "access_controls/groups",
    rows: groups.map(({ name, description }, index) => row(index, { name, description })),
  };
  const memberships = [
    ...groups.flatMap(({ within }, index) =>
      within === null ? [] : [{ group_id: String(within), member_group_id: String(index + 1), user_id: null }],
    ),
    ...staff.flatMap(({ group }, index) =>
      group === null ? [] : [{ group_id: String(group), member_group_id: null, user_id: String(index + 1) }],
    ),
  ];
  yield {
    type: "access_controls/group_members",
    rows: memberships.map((membership, index) => row(index, membership)),
  };
  yield {
    type: "access_controls/roles_users",
    rows: staff.map(({ role }, index) => row(index, { role, user_id: String(index + 1) })),
  };
}

const userFields = (person: Colleague) => ({
  user_name: userName(person),
  first_name: person.first,
  last_name: person.last,
  name: `${person.first} ${person.last}`,
  title: person.title,
  manager_id: person.manager === null ? null : String(person.manager),
  is_active: "1",
  time_zone: person.timeZone,
  locale: person.locale,
  hour_format: person.locale === "en-US" ? "12" : "24",
  theme: "default/auto",
});

export const userName = ({ first, last }: Colleague): string => `${asciiWord(first)}.${asciiWord(last)}`;
