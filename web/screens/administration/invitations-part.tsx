// Invitations: a new one, those on their way, and the way to send one again or take it back.
import { Button, Group, Modal, Select, Skeleton, Stack, TextInput } from "@mantine/core";
import { IconMail, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedInvitation } from "../../../client/people/administration.ts";
import { readInstant } from "../../../client/transport/instant.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { FactsTable, RowAction } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { Tag } from "../../parts/layout/tag.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ownOrganizationQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { ConfirmAddressNote } from "./confirm-address-note.tsx";
import { useChange } from "./use-change.ts";

const refresh = ["admin-invitations", "list"];

type State = "open" | "accepted" | "revoked" | "over";
const tones = { open: "word", accepted: "good", revoked: "plain", over: "plain" } as const satisfies Record<
  State,
  string
>;

function stateOf({ status, expires }: ListedInvitation): State {
  if (status === "accepted" || status === "revoked") return status;
  const end = readInstant(expires);
  return end !== undefined && end.getTime() < Date.now() ? "over" : "open";
}

export function InvitationsPart() {
  const { t } = useTranslation();
  const [inviting, setInviting] = useState(false);
  const query = useQuery({
    queryKey: ["admin-invitations"],
    queryFn: ({ signal }) => client.administration.listInvitations(signal),
  });
  const { data: areFiles = false } = useQuery({ ...ownOrganizationQuery, select: (own) => own.mailsAreFiles });
  const resend = useChange({
    run: (id: string) => client.administration.onInvitation("resend", id),
    done: t(areFiles ? "admin.resent_file" : "admin.resent"),
    refresh,
  });
  const revoke = useChange({
    run: (id: string) => client.administration.onInvitation("revoke", id),
    done: t("admin.revoked"),
    refresh,
  });
  const create = (
    <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setInviting(true)}>
      {t("admin.invite")}
    </Button>
  );
  return (
    <Section title={t("admin.part_invitations")} lead={t("admin.invitations_lead")} action={create}>
      <ConfirmAddressNote />
      {areFiles && <Notice tone="news">{t("admin.mails_are_files")}</Notice>}
      <Loaded query={query} skeleton={<Skeleton h={200} radius="md" />}>
        {(invitations) =>
          invitations.length === 0 ? (
            <EmptyState icon={IconMail} title={t("admin.no_invitations")} text={t("admin.no_invitations_lead")} small />
          ) : (
            <FactsTable
              label={t("admin.part_invitations")}
              columns={[t("signup.email"), t("signup.role"), t("admin.state"), t("admin.sent"), t("admin.actions")]}
            >
              {invitations.map((one) => {
                const state = stateOf(one);
                return (
                  <tr key={one.id} className={state === "open" ? undefined : classes.off}>
                    <th scope="row">{one.email}</th>
                    <td>{one.role}</td>
                    <td>
                      <Tag tone={tones[state]}>{t(`admin.invitation_${state}`)}</Tag>
                    </td>
                    <td data-label={t("admin.sent")}>
                      <Moment text={one.lastSent} none="–" />
                    </td>
                    <td>
                      {state !== "accepted" && (
                        <Group gap={4} wrap="nowrap">
                          <RowAction
                            label={t("admin.resend_name", { name: one.email })}
                            onClick={() => resend.mutate(one.id)}
                          >
                            {t("admin.resend")}
                          </RowAction>
                          {state === "open" && (
                            <RowAction
                              label={t("admin.revoke_name", { name: one.email })}
                              onClick={() => revoke.mutate(one.id)}
                            >
                              {t("admin.revoke")}
                            </RowAction>
                          )}
                        </Group>
                      )}
                    </td>
                  </tr>
                );
              })}
            </FactsTable>
          )
        }
      </Loaded>
      {inviting && <InviteDialog areFiles={areFiles} close={() => setInviting(false)} />}
    </Section>
  );
}

function InviteDialog({ areFiles, close }: { readonly areFiles: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const [roleId, setRoleId] = useState<string | null>(null);
  const roles = useQuery({
    queryKey: ["admin-roles"],
    queryFn: ({ signal }) => client.administration.listRoles(signal),
  });
  const send = useChange({
    run: () => client.administration.invite(email.trim(), roleId ?? ""),
    done: t(areFiles ? "admin.invited_file" : "admin.invited", { email: email.trim() }),
    refresh,
    after: close,
    quiet: true,
  });
  const byField = send.error instanceof WireFailure ? send.error.byField : {};
  const named = byField["invitations.email"] ?? byField["invitations.role_id"];
  function submit(event: FormEvent): void {
    event.preventDefault();
    send.mutate(undefined);
  }
  return (
    <Modal opened onClose={close} title={t("admin.invite")} closeButtonProps={{ "aria-label": t("actions.close") }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t("signup.email")}
            type="email"
            dir="ltr"
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={byField["invitations.email"]?.join(" ") ?? (named ? undefined : send.error?.message)}
          />
          <Select
            label={t("signup.role")}
            data={(roles.data ?? []).map((role) => ({ value: role.id, label: role.name }))}
            value={roleId}
            onChange={setRoleId}
            error={byField["invitations.role_id"]?.join(" ")}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t("admin.send_invitation")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
