// Where I am logged in, and the way to end it there.
import { Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { SessionTable } from "../../parts/session-table.tsx";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { client } from "../../session/session.ts";

export function SessionsPart() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const queryKey = ["own-sessions"];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.administration.listOwnSessions(signal),
    staleTime: 0,
  });
  const end = useWrite({
    mutationFn: (id: string) => client.administration.endSession(id),
    onSuccess: () => showDone(t("sessions.ended")),
    onError: (error) => showWarning(error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <Section title={t("sessions.mine")} lead={t("sessions.mine_lead")}>
      <Loaded query={query} skeleton={<Skeleton h={110} radius="md" />}>
        {(sessions) => (
          <SessionTable
            sessions={sessions.map((one) => ({
              id: one.id,
              program: one.user_agent ?? "",
              address: one.address ?? "",
              lastUsed: one.last_used ?? "",
              isCurrent: one.is_current === "1",
            }))}
            end={end.mutate}
            ending={end.isPending ? end.variables : undefined}
          />
        )}
      </Loaded>
    </Section>
  );
}
