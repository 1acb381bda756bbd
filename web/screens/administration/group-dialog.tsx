// The members of one group: people and groups within, each with a way out, and a box to find whom to put in. What it would change is told
// before anybody comes or goes.
import { ActionIcon, Button, Modal, Group as Row, Select, Stack, Text } from "@mantine/core";
import { IconUser, IconUsersGroup, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Group, type GroupMember, groupsAround } from "../../../client/people/groups.ts";
import { Consequences } from "../../parts/access/consequences.tsx";
import { client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { useChange } from "./use-change.ts";

const refresh = ["admin-groups", "record", "list"];

interface GroupDialogProps {
  readonly group: Group;
  readonly groups: readonly Group[];
  readonly close: () => void;
}

type Sent = { readonly user_id: string } | { readonly member_group_id: string };
const sentOf = (kind: GroupMember["kind"], id: string): Sent =>
  kind === "user" ? { user_id: id } : { member_group_id: id };

/** Who is about to come or go. */
type Pending =
  | { readonly does: "add"; readonly name: string; readonly kind: GroupMember["kind"]; readonly id: string }
  | { readonly does: "remove"; readonly name: string; readonly membership: string };

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
  const [pending, setPending] = useState<Pending>();
  const isBusy = add.isPending || remove.isPending;
  const membersAfter = (change: Pending): readonly Sent[] => {
    const kept = group.members.filter(({ id }) => change.does === "add" || id !== change.membership);
    const now = kept.map(({ kind, memberId }) => sentOf(kind, memberId));
    return change.does === "add" ? [...now, sentOf(change.kind, change.id)] : now;
  };
  const confirm = async (change: Pending): Promise<void> => {
    if (change.does === "add") await add.mutateAsync({ kind: change.kind, id: change.id });
    else await remove.mutateAsync(change.membership);
    setPending(undefined);
  };
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
          disabled={isBusy}
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
            const name =
              kind === "user"
                ? people.find((one) => one.id === id)?.name || people.find((one) => one.id === id)?.userName
                : others.find((one) => one.id === id)?.name;
            if (kind === "user" || kind === "group") setPending({ does: "add", kind, id, name: name ?? "" });
          }}
        />
        {pending && (
          <Stack gap="xs">
            <Consequences draft={{ kind: "groups", id: group.id, members: membersAfter(pending) }} />
            <Row justify="flex-end" gap="xs">
              <Button variant="default" disabled={isBusy} onClick={() => setPending(undefined)}>
                {t("actions.cancel")}
              </Button>
              <Button
                data-autofocus
                loading={isBusy}
                {...(pending.does === "remove" ? { color: "red" } : {})}
                onClick={() => confirm(pending).catch(() => undefined)}
              >
                {t(pending.does === "add" ? "admin.member_add_name" : "admin.member_remove_name", {
                  name: pending.name,
                })}
              </Button>
            </Row>
          </Stack>
        )}
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
                  disabled={isBusy}
                  aria-label={t("admin.remove_member", { name: member.name })}
                  onClick={() => setPending({ does: "remove", membership: member.id, name: member.name })}
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
