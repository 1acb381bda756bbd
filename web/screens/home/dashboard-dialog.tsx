// Names a dashboard and says who sees it. A new one starts with the tiles that are on the screen.
import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
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
      {dashboard === undefined ? (
        <DashboardForm {...props} shared={[]} />
      ) : shares.data ? (
        <DashboardForm {...props} shared={shares.data} />
      ) : (
        // Without them the form would say that nobody else sees it.
        shares.isError && (
          <Notice tone="bad">
            {shares.error.message}{" "}
            <Button variant="subtle" size="compact-xs" onClick={() => void shares.refetch()}>
              {t("actions.retry")}
            </Button>
          </Notice>
        )
      )}
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
  /** What is saved already, for another try after one that failed half way. */
  const saved = useRef(dashboard && { id: dashboard.id, revision: dashboard.revision as string | undefined });
  const given = useRef(new Map(shared.map((one) => [one.principal_id, one.id as string | undefined])));
  const queryClient = useQueryClient();
  const personal = pins.filter(({ isPersonal }) => isPersonal);
  const save = useWrite({
    mutationFn: async () => {
      const changes = { name: name.trim(), is_personal: audience === "all" ? ("0" as const) : ("1" as const) };
      const before = saved.current;
      const tiles = pins.map(({ id: view, size = null }) => ({ id: view, size }));
      const { id, data } = await client.views.saveDashboard(
        { ...(before && { id: before.id }), ...(before?.revision && { revision: before.revision }) },
        before ? changes : { ...changes, tiles },
      );
      saved.current = { id, revision: data?.team_dashboards?.revision };
      const wanted = audience === "chosen" ? chosen : [];
      for (const each of wanted) {
        if (given.current.has(each.principal_id)) continue;
        await client.access.shareRecord(DASHBOARDS, id, {
          principal_id: each.principal_id,
          rights: "read",
          until: null,
        });
        given.current.set(each.principal_id, undefined);
      }
      const superfluous = [...given.current].filter(
        ([one]) => !wanted.some(({ principal_id }) => principal_id === one),
      );
      // One that was given in an earlier try has a share whose id is not known here.
      const all = superfluous.some(([, share]) => share === undefined)
        ? (await client.access.readAccess(DASHBOARDS, id)).shares
        : [];
      for (const [principal, known] of superfluous) {
        const share = known ?? all.find(({ principal_id }) => principal_id === principal)?.id;
        if (share !== undefined) await client.access.unshareRecord(DASHBOARDS, id, share);
        given.current.delete(principal);
      }
      return id;
    },
    onSuccess: onSaved,
    onError: () => queryClient.invalidateQueries({ queryKey: ["dashboard"] }),
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
            <Radio value="chosen" label={t("dashboard.chosen")} description={t("dashboard.chosen_lead")} />
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
