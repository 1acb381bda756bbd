// The API keys of everybody in the organization, with their last use: an administrator revokes any of them, makes service accounts and
// the keys that those come in with.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconKey, IconPlus, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey, OrganizationKey, ServiceAccount } from "../../../../client/people/api-keys.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { FactsTable, RowAction } from "../../../parts/layout/facts-table.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import table from "../../../parts/layout/table.module.css";
import { Tag } from "../../../parts/layout/tag.tsx";
import { Moment } from "../../../parts/moment.tsx";
import { RecordLink } from "../../../parts/record-link.tsx";
import { client } from "../../../session/session.ts";
import { tones } from "../../account/keys/api-keys-part.tsx";
import { useLimitsInWords } from "../../account/keys/key-limits.tsx";
import { keyState } from "../../account/keys/key-state.ts";
import { NewKeyDialog } from "../../account/keys/new-key-dialog.tsx";
import { RevokeDialog } from "../../account/keys/revoke-dialog.tsx";
import classes from "./all-keys-part.module.css";
import { ServiceAccountDialog } from "./service-account-dialog.tsx";

export function AllKeysPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-keys"],
    queryFn: async ({ signal }) => {
      const [keys, accounts] = await Promise.all([
        client.administration.listOrganizationKeys(signal),
        client.administration.listServiceAccounts(signal),
      ]);
      return { keys, accounts };
    },
    staleTime: 0,
  });
  /** For whom a key is being made: nobody yet, or the account that was just made. */
  const [making, setMaking] = useState<{ readonly account?: string }>();
  const [naming, setNaming] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const accounts = query.data?.accounts ?? [];
  // The address can ask for a new key; without an account it can be for, that is made first.
  const search = useSearch({ from: "/inside/administration" });
  const navigate = useNavigate();
  const isAsked = search.new_key === 1 && query.data !== undefined;
  const forgetAsked = (): void => {
    if (isAsked) void navigate({ to: "/administration", search: { part: "api_keys" }, replace: true });
  };
  const isMaking = making !== undefined || (isAsked && accounts.length > 0);
  const isNaming = naming || (isAsked && !isMaking);
  const actions = (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconRobot size={15} />} onClick={() => setNaming(true)}>
        {t("programs.new_account")}
      </Button>
      {accounts.length > 0 && (
        <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setMaking({})}>
          {t("keys.create")}
        </Button>
      )}
    </Group>
  );
  return (
    <Section title={t("admin.part_api_keys")} lead={t("programs.keys_lead")} action={actions} hasActions>
      <Loaded query={query} skeleton={<Skeleton h={240} radius="md" />}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState icon={IconKey} title={t("programs.no_keys")} text={t("programs.no_keys_lead")} small />
          ) : (
            <KeysTable keys={keys} accounts={accounts} revoke={setRevoking} />
          )
        }
      </Loaded>
      <NewKeyDialog
        opened={isMaking}
        close={() => {
          setMaking(undefined);
          forgetAsked();
        }}
        accounts={accounts}
        account={making ? making.account : search.user_id}
      />
      <RevokeDialog apiKey={revoking} close={() => setRevoking(undefined)} />
      {isNaming && (
        <ServiceAccountDialog
          close={() => {
            setNaming(false);
            forgetAsked();
          }}
          made={(account) => setMaking({ account })}
        />
      )}
    </Section>
  );
}

interface KeysTableProps {
  readonly keys: readonly OrganizationKey[];
  readonly accounts: readonly ServiceAccount[];
  readonly revoke: (key: ApiKey) => void;
}

function KeysTable({ keys, accounts, revoke }: KeysTableProps) {
  const { t } = useTranslation();
  const inWords = useLimitsInWords();
  const programs = new Set(accounts.map(({ id }) => id));
  const columns = ["programs.key", "programs.owner", "keys.last_used", "keys.expires", "keys.state"] as const;
  return (
    <FactsTable
      label={t("programs.keys_list")}
      columns={[...columns.map((column) => t(column)), t("admin.actions")]}
      className={classes.keys}
    >
      {keys.map((key) => {
        const state = keyState(key);
        return (
          <tr key={key.id} data-state={state}>
            <th scope="row">
              {key.name}
              {key.hint && <div className={table.mono}>{key.hint}</div>}
              <div className={classes.limits}>
                {[t(key.scope === "write" ? "keys.scope_write" : "keys.scope_read"), ...inWords(key)].join(" · ")}
              </div>
            </th>
            <td data-label={t("programs.owner")}>
              <Group component="span" display="inline-flex" gap={6}>
                <RecordLink module="access_controls" controller="users" id={key.userId}>
                  {key.user}
                </RecordLink>
                {programs.has(key.userId) && <Tag>{t("programs.service_account")}</Tag>}
              </Group>
            </td>
            <td data-label={t("keys.last_used")}>
              <Moment text={key.last_used} none={t("keys.never")} />
            </td>
            <td data-label={t("keys.expires")}>
              <Moment text={key.expires} none={t("keys.never")} />
            </td>
            <td>
              <Tag tone={tones[state]}>{t(`keys.${state}`)}</Tag>
            </td>
            <td>
              {state === "active" && (
                <RowAction label={t("keys.revoke_name", { name: key.name })} onClick={() => revoke(key)}>
                  {t("keys.revoke")}
                </RowAction>
              )}
            </td>
          </tr>
        );
      })}
    </FactsTable>
  );
}
