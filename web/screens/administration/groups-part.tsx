// Groups: who is in each, people and other groups; new ones, and members put in and taken out on the spot.
import { Button, Modal, Group as Row, Skeleton, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { peopleWithin } from "../../../client/people/groups.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { FactsTable, RowAction } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { RecordLink } from "../../parts/record-link.tsx";
import { client } from "../../session/session.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { useChange } from "./use-change.ts";

export function GroupsPart() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<string>();
  const query = useQuery({
    queryKey: ["admin-groups"],
    queryFn: ({ signal }) => client.administration.listGroups(signal),
  });
  const add = (
    <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
      {t("admin.add_group")}
    </Button>
  );
  return (
    <Section title={t("admin.part_groups")} lead={t("admin.groups_lead")} action={add}>
      <Loaded query={query} skeleton={<Skeleton h={240} radius="md" />}>
        {(groups) => {
          const group = groups.find(({ id }) => id === opened);
          return (
            <>
              {groups.length === 0 ? (
                <EmptyState icon={IconUsersGroup} title={t("admin.no_groups")} text={t("admin.no_groups_lead")} small />
              ) : (
                <FactsTable
                  label={t("admin.part_groups")}
                  columns={[t("admin.name"), t("admin.members"), t("admin.people_within"), t("admin.actions")]}
                >
                  {groups.map((one) => (
                    <tr key={one.id}>
                      <th scope="row">
                        <RecordLink module="access_controls" controller="groups" id={one.id}>
                          {one.name}
                        </RecordLink>
                        {one.description !== "" && <div>{one.description}</div>}
                      </th>
                      <td data-label={t("admin.members")}>{one.members.map(({ name }) => name).join(", ") || "–"}</td>
                      <td data-label={t("admin.people_within")}>{peopleWithin(groups, one.id).size}</td>
                      <td>
                        <RowAction
                          label={t("admin.edit_members_name", { name: one.name })}
                          onClick={() => setOpened(one.id)}
                        >
                          {t("admin.edit_members")}
                        </RowAction>
                      </td>
                    </tr>
                  ))}
                </FactsTable>
              )}
              {group && <GroupDialog group={group} groups={groups} close={() => setOpened(undefined)} />}
            </>
          );
        }}
      </Loaded>
      {adding && <AddGroupDialog close={() => setAdding(false)} />}
    </Section>
  );
}

function AddGroupDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const add = useChange({
    run: () => client.administration.addGroup(name.trim(), description.trim()),
    done: t("admin.group_added", { name: name.trim() }),
    refresh: ["admin-groups", "list"],
    after: close,
    quiet: true,
  });
  const byField = add.error instanceof WireFailure ? add.error.byField : {};
  return (
    <Modal opened onClose={close} title={t("admin.add_group")} closeButtonProps={{ "aria-label": t("actions.close") }}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          add.mutate(undefined);
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t("admin.name")}
            data-autofocus
            withAsterisk
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={byField["groups.name"]?.join(" ") ?? add.error?.message}
          />
          <TextInput
            label={t("admin.group_description")}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Row justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t("admin.add_group")}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
