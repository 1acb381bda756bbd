// Names a dashboard and says who sees it. A new one starts with the tiles that are on the screen.
import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Pin, TeamDashboard } from "../../../client/lists/dashboard.ts";
import type { Principal } from "../../../client/records/access.ts";
import { Notice } from "../../parts/layout/notice.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { dashboardSharesQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { ShareWith } from "../list/views/share-with.tsx";

const DASHBOARDS = "core/team_dashboards";
type Audience = "mine" | "chosen" | "all";

interface DashboardDialogProps {
  /** Undefined for a new one. */
  readonly dashboard: TeamDashboard | undefined;
  readonly pins: readonly Pin[];
  readonly onSaved: (id: string) => Promise<void>;
  readonly onClose: () => void;
}

export function DashboardDialog(props: DashboardDialogProps) {
  const { dashboard, onClose } = props;
  const { t } = useTranslation();
  const shares = useQuery({ ...dashboardSharesQuery(dashboard?.id ?? ""), enabled: dashboard !== undefined });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(dashboard ? "dashboard.settings" : "dashboard.new")}
      size={460}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      {(dashboard === undefined || !shares.isPending) && <DashboardForm {...props} shared={shares.data ?? []} />}
    </Modal>
  );
}

interface DashboardFormProps extends DashboardDialogProps {
  readonly shared: readonly (Principal & { readonly id: string })[];
}

function DashboardForm({ dashboard, pins, shared, onSaved, onClose }: DashboardFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(dashboard?.name ?? "");
  const [audience, setAudience] = useState<Audience>(() =>
    dashboard === undefined || shared.length > 0 ? "chosen" : dashboard.isPersonal ? "mine" : "all",
  );
  const [chosen, setChosen] = useState<readonly Principal[]>(shared);
  const personal = pins.filter(({ isPersonal }) => isPersonal);
  const save = useWrite({
    mutationFn: async () => {
      const changes = { name: name.trim(), is_personal: audience === "all" ? ("0" as const) : ("1" as const) };
      const { id } = dashboard
        ? await client.views.saveDashboard({ id: dashboard.id, revision: dashboard.revision }, changes)
        : await client.views.saveDashboard(
            {},
            { ...changes, tiles: pins.map(({ id: view, size = null }) => ({ id: view, size })) },
          );
      const wanted = audience === "chosen" ? chosen : [];
      for (const each of wanted) {
        if (shared.some((one) => one.principal_id === each.principal_id)) continue;
        await client.access.shareRecord(DASHBOARDS, id, {
          principal_id: each.principal_id,
          rights: "read",
          until: null,
        });
      }
      for (const each of shared) {
        if (wanted.some((one) => one.principal_id === each.principal_id)) continue;
        await client.access.unshareRecord(DASHBOARDS, id, each.id);
      }
      return id;
    },
    onSuccess: onSaved,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t("views.name")}
          {...(dashboard === undefined ? { description: t("dashboard.starts_with") } : {})}
          data-autofocus
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label={t("dashboard.who")}
          value={audience}
          onChange={(next) => setAudience(next === "all" || next === "chosen" ? next : "mine")}
        >
          <Stack gap={8} mt={6}>
            <Radio value="chosen" label={t("dashboard.chosen")} />
            <Radio value="all" label={t("dashboard.all")} />
            <Radio value="mine" label={t("dashboard.only_me")} />
          </Stack>
        </Radio.Group>
        {audience === "chosen" && <ShareWith chosen={chosen} onChange={setChosen} />}
        {audience !== "mine" && personal.length > 0 && (
          <Notice tone="news">
            {t("dashboard.personal_views", {
              count: personal.length,
              names: personal.map((pin) => pin.name).join(", "),
            })}
          </Notice>
        )}
        {save.isError && <Notice tone="bad">{save.error.message}</Notice>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
            {t(dashboard ? "dashboard.save" : "dashboard.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
