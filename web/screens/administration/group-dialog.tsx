// The members of one group: people and groups within, each with a way out, and a box to find whom to put in.
import { ActionIcon, Modal, Select, Stack, Text } from "@mantine/core";
import { IconUser, IconUsersGroup, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Group, type GroupMember, groupsAround } from "../../../client/people/groups.ts";
import { client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { useChange } from "./use-change.ts";

const refresh = ["admin-groups", "record", "list"];

interface GroupDialogProps {
  readonly group: Group;
  readonly groups: readonly Group[];
  readonly close: () => void;
}

export function GroupDialog({ group, groups, close }: GroupDialogProps) {
  const { t } = useTranslation();
  const users = useQuery({
    queryKey: ["admin-users"],
    queryFn: ({ signal }) => client.administration.listUsers(signal),
  });
  const add = useChange({
    run: (member: { kind: GroupMember["kind"]; id: string }) =>
      client.administration.addMember(group.id, member.kind, member.id),
    done: t("admin.members_changed", { name: group.name }),
    refresh,
  });
  const remove = useChange({
    run: (membership: string) => client.administration.removeMember(group.id, membership),
    done: t("admin.members_changed", { name: group.name }),
    refresh,
  });
  const has = new Set(group.members.map(({ kind, memberId }) => `${kind} ${memberId}`));
  const around = groupsAround(groups, group.id);
  const people = (users.data ?? []).filter(({ id, isActive }) => isActive && !has.has(`user ${id}`));
  const others = groups.filter(({ id }) => !around.has(id) && !has.has(`group ${id}`));
  return (
    <Modal
      opened
      onClose={close}
      title={t("admin.members_of", { name: group.name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        <Select
          label={t("admin.add_member")}
          description={t("admin.add_member_lead")}
          searchable
          value={null}
          disabled={add.isPending}
          nothingFoundMessage={t("signup.nothing")}
          data={[
            {
              group: t("admin.part_users"),
              items: people.map(({ id, name, userName }) => ({ value: `user ${id}`, label: name || userName })),
            },
            {
              group: t("admin.part_groups"),
              items: others.map(({ id, name }) => ({ value: `group ${id}`, label: name })),
            },
          ]}
          onChange={(value) => {
            const [kind, id = ""] = value?.split(" ") ?? [];
            if (kind === "user" || kind === "group") add.mutate({ kind, id });
          }}
        />
        {group.members.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("admin.no_members")}
          </Text>
        ) : (
          <ul className={classes.members} aria-label={t("admin.members")}>
            {group.members.map((member) => (
              <li key={member.id}>
                {member.kind === "user" ? (
                  <IconUser size={16} stroke={1.6} aria-hidden="true" />
                ) : (
                  <IconUsersGroup size={16} stroke={1.6} aria-label={t("admin.part_groups")} />
                )}
                <span>{member.name}</span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  loading={remove.isPending && remove.variables === member.id}
                  aria-label={t("admin.remove_member", { name: member.name })}
                  onClick={() => remove.mutate(member.id)}
                >
                  <IconX size={16} stroke={1.6} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}
