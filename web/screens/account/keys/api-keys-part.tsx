// One's own API keys: the list, a new one, and taking one back.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconBook2, IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "../../../../client/people/api-keys.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { RowAction } from "../../../parts/layout/facts-table.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import table from "../../../parts/layout/table.module.css";
import { Tag } from "../../../parts/layout/tag.tsx";
import { Moment } from "../../../parts/moment.tsx";
import { apiKeysQuery } from "../../../queries.ts";
import classes from "./api-keys-part.module.css";
import { useLimitsInWords } from "./key-limits.tsx";
import { type KeyState, keyState } from "./key-state.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";

export const tones = { active: "good", revoked: "bad", expired: "plain" } as const satisfies Record<KeyState, string>;

export function ApiKeysPart() {
  const { t } = useTranslation();
  const query = useQuery(apiKeysQuery);
  const making = useSearch({ from: "/inside/account" }).new_key === 1;
  const navigate = useNavigate();
  const setMaking = (on: boolean) =>
    void navigate({ to: "/account", search: on ? { new_key: 1 } : {}, replace: true, resetScroll: false });
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setMaking(true)}>
      {t("keys.create")}
    </Button>
  );
  const reference = (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconBook2 size={15} aria-hidden="true" />}
      renderRoot={(props) => <Link {...props} to="/docs" />}
    >
      {t("programs.reference")}
    </Button>
  );
  const actions = (
    <Group gap="xs">
      {reference}
      {query.data?.length !== 0 && create}
    </Group>
  );
  return (
    <Section title={t("keys.title")} lead={t("keys.lead")} action={actions} hasActions>
      <Loaded query={query} skeleton={<Skeleton h={140} radius="md" />}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState icon={IconKey} title={t("keys.empty")} text={t("keys.empty_lead")} small>
              {create}
            </EmptyState>
          ) : (
            <KeyTable keys={keys} revoke={setRevoking} />
          )
        }
      </Loaded>
      <NewKeyDialog opened={making} close={() => setMaking(false)} />
      <RevokeDialog apiKey={revoking} close={() => setRevoking(undefined)} />
    </Section>
  );
}

function KeyTable({ keys, revoke }: { readonly keys: readonly ApiKey[]; readonly revoke: (key: ApiKey) => void }) {
  const { t } = useTranslation();
  const inWords = useLimitsInWords();
  return (
    <ScrollRegion label={t("keys.list")}>
      <table className={`${table.table} ${classes.keys}`}>
        <thead>
          <tr>
            <th scope="col">{t("keys.name")}</th>
            <th scope="col" className={classes.wide}>
              {t("keys.scope")}
            </th>
            <th scope="col" className={classes.wide}>
              {t("keys.last_used")}
            </th>
            <th scope="col" className={classes.wide}>
              {t("keys.expires")}
            </th>
            <th scope="col">{t("keys.state")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const state = keyState(key);
            const scope = t(key.scope === "write" ? "keys.scope_write" : "keys.scope_read");
            return (
              <tr key={key.id} data-state={state}>
                <th scope="row">
                  {key.name}
                  {key.hint && <div className={table.mono}>{key.hint}</div>}
                  {inWords(key).map((words) => (
                    <div key={words} className={classes.limits}>
                      {words}
                    </div>
                  ))}
                  <div className={classes.narrow}>
                    {scope} · <Moment text={key.last_used} none={t("keys.unused")} />
                  </div>
                </th>
                <td className={classes.wide}>{scope}</td>
                <td className={classes.wide}>
                  <Moment text={key.last_used} none={t("keys.never")} />
                </td>
                <td className={classes.wide}>
                  <Moment text={key.expires} none={t("keys.never")} />
                </td>
                <td>
                  <Tag tone={tones[state]}>{t(`keys.${state}`)}</Tag>
                </td>
                <td className={classes.do}>
                  {state === "active" && (
                    <RowAction label={t("keys.revoke_name", { name: key.name })} onClick={() => revoke(key)}>
                      {t("keys.revoke")}
                    </RowAction>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
