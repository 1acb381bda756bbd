// Every session of the organization that is open now; an administrator ends any of them.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { SessionTable } from "../../parts/session-table.tsx";
import { client } from "../../session/session.ts";
import { useChange } from "./use-change.ts";

export function AllSessionsPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-sessions"],
    queryFn: async ({ signal }) => {
      const own = await client.administration.listOwnSessions(signal);
      const current = own.find((one) => one.is_current === "1")?.id;
      return (await client.administration.listSessions(signal)).map((one) => ({
        ...one,
        isCurrent: one.id === current,
      }));
    },
    staleTime: 0,
  });
  const end = useChange({
    run: (id: string) => client.administration.endSession(id),
    done: t("sessions.ended"),
    refresh: ["admin-sessions"],
  });
  return (
    <Section title={t("admin.part_sessions")} lead={t("admin.sessions_lead")}>
      <Loaded query={query} skeleton={<Skeleton h={240} radius="md" />}>
        {(sessions) => (
          <SessionTable
            sessions={sessions.map(({ user, ...one }) => ({ ...one, person: user }))}
            end={end.mutate}
            ending={end.isPending ? end.variables : undefined}
          />
        )}
      </Loaded>
    </Section>
  );
}
