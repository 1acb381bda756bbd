// Groups of people, and groups within groups: who is in which, and the ways to change it.

import { reader, readRows } from "../lists/read-all-rows.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface GroupMember {
  /** Of the membership. */
  readonly id: string;
  readonly kind: "user" | "group";
  /** Of the user or the group that is in it. */
  readonly memberId: string;
  readonly name: string;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly GroupMember[];
}

export async function listGroups(call: Call, signal?: AbortSignal): Promise<readonly Group[]> {
  const memberFields = [
    "id",
    "group_id",
    "user_id",
    "member_group_id",
    "user.name as person",
    "member_group.name as within",
  ];
  const [groups, members] = await Promise.all([
    readRows(call, "access_controls/groups", ["id", "name", "description"], { order: ["groups.name ASC"] }, signal),
    readRows(call, "access_controls/group_members", memberFields, {}, signal),
  ]);
  return groups.map((row) => {
    const at = reader("groups", row);
    const own = members.filter((member) => member["group_members.group_id"] === at("id"));
    return {
      id: at("id"),
      name: at("name"),
      description: at("description"),
      members: own
        .map((member): GroupMember => {
          const of = reader("group_members", member);
          const isUser = of("user_id") !== "";
          return {
            id: of("id"),
            kind: isUser ? "user" : "group",
            memberId: of(isUser ? "user_id" : "member_group_id"),
            name: (isUser ? member.person : member.within) ?? "",
          };
        })
        .sort((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name)),
    };
  });
}

const action = { save_progress: "Save" };

const editGroup = (call: Call, id: string, values: Readonly<Record<string, unknown>>): Promise<Answer<unknown>> =>
  call("access_controls/groups/edit", { body: { data: { groups: { id, ...values }, action } } });

export const addGroup = (call: Call, name: string, description: string): Promise<Answer<unknown>> =>
  call("access_controls/groups/add", { body: { data: { groups: { name, description }, action } } });

export const addMember = (call: Call, groupId: string, kind: GroupMember["kind"], id: string) =>
  editGroup(call, groupId, { members: [kind === "user" ? { user_id: id } : { member_group_id: id }] });

export const removeMember = (call: Call, groupId: string, membership: string) =>
  editGroup(call, groupId, { members: [{ id: membership, deleted: "1" }] });

/** The groups that a group may not take in: itself, and those that it is in already, by way of others too. */
export function groupsAround(groups: readonly Group[], id: string): ReadonlySet<string> {
  const around = new Set([id]);
  for (let before = 0; before < around.size; ) {
    before = around.size;
    for (const group of groups) {
      if (group.members.some(({ kind, memberId }) => kind === "group" && around.has(memberId))) around.add(group.id);
    }
  }
  return around;
}

/** Everybody who is in it, by way of groups too, once each. */
export function peopleWithin(groups: readonly Group[], id: string): ReadonlySet<string> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const [seen, people, open] = [new Set<string>(), new Set<string>(), [id]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { kind, memberId } of byId.get(next)?.members ?? []) {
      if (kind === "user") people.add(memberId);
      else open.push(memberId);
    }
  }
  return people;
}
