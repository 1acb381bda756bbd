// For administrators of the organization that runs the service: which organizations may email people outside.
import { Skeleton, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FactsTable } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { client } from "../../session/session.ts";
import { useChange } from "./use-change.ts";

export function MailSendersPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["mail-senders"],
    queryFn: ({ signal }) => client.administration.listMailSenders(signal),
  });
  const change = useChange({
    run: ({ id, allowed }: { readonly id: string; readonly allowed: boolean }) =>
      client.administration.allowOutside(id, allowed),
    done: t("outgoing.changed"),
    refresh: ["mail-senders"],
  });
  return (
    <Section title={t("outgoing.title")} lead={t("outgoing.lead")}>
      <Loaded query={query} skeleton={<Skeleton h={120} radius="md" />}>
        {(senders) =>
          senders.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("outgoing.none")}
            </Text>
          ) : (
            <FactsTable
              label={t("outgoing.title")}
              columns={[t("admin.name"), t("outgoing.sent_today"), t("outgoing.held"), t("outgoing.allowed")]}
            >
              {senders.map((one) => (
                <tr key={one.id}>
                  <th scope="row">{one.name}</th>
                  <td data-label={t("outgoing.sent_today")}>{one.sent_today}</td>
                  <td data-label={t("outgoing.held")}>{one.held}</td>
                  <td>
                    <Switch
                      aria-label={t("outgoing.allow_name", { name: one.name })}
                      checked={one.allows_outside === "1"}
                      disabled={change.isPending}
                      onChange={(event) => change.mutate({ id: one.id, allowed: event.currentTarget.checked })}
                    />
                  </td>
                </tr>
              ))}
            </FactsTable>
          )
        }
      </Loaded>
    </Section>
  );
}
