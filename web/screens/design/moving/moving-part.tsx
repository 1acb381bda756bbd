// Templates to start from, and the design of the installation as a file: out, in, and back. Whatever changes something is
// previewed first.
import { Button, Checkbox, Skeleton, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MovingDesigns } from "../../../../client/design/moving.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { DropZone } from "../../../fields/files/drop-zone.tsx";
import { Ago } from "../../../parts/ago.tsx";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { keepFile } from "../../../parts/keep-file.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";
import { designChoicesQuery } from "../design-queries.ts";
import classes from "./moving.module.css";
import { type ChosenDesign, PlanDialog } from "./plan-dialog.tsx";

/** What a request may bring, with its escapes. */
const MOST_BYTES = 8 * 1024 ** 2;

const shipped = ["issues", "maintenance", "recruiting"] as const;

const movingQuery = queryOptions({
  queryKey: ["design", "moving"],
  queryFn: ({ signal }) => client.design.readMovingDesigns(signal),
});

export function MovingPart() {
  const { t } = useTranslation();
  const choices = useQuery(designChoicesQuery);
  const mayDesign = choices.data?.may_design === 1;
  const query = useQuery({ ...movingQuery, enabled: mayDesign });
  const [chosen, setChosen] = useState<ChosenDesign>();
  if (choices.data?.may_design === 0) {
    return (
      <Section title={t("admin.part_designs")}>
        <Notice tone="news">{t("design.operator_note")}</Notice>
      </Section>
    );
  }
  return (
    <>
      <Section title={t("moving.templates")} lead={t("moving.templates_lead")}>
        <Loaded query={query} skeleton={<Skeleton h={140} radius="md" />}>
          {({ starters }) => <Starters starters={starters} onChoose={setChosen} />}
        </Loaded>
      </Section>
      <Section title={t("moving.files")} lead={t("moving.files_lead")}>
        <Export />
        <Import onChoose={setChosen} />
        {query.data?.last && <LastApplied last={query.data.last} />}
      </Section>
      {chosen && <PlanDialog chosen={chosen} close={() => setChosen(undefined)} />}
    </>
  );
}

interface ChoosingProps {
  readonly onChoose: (chosen: ChosenDesign) => void;
}

function Starters({ starters, onChoose }: ChoosingProps & Pick<MovingDesigns, "starters">) {
  const { t } = useTranslation();
  /** Those that ship, in the reader's language. */
  const inWords = (starter: MovingDesigns["starters"][number]) => {
    const known = shipped.find((one) => one === starter.key);
    const words = known && {
      name: t(`moving.starters.${known}.name`),
      description: t(`moving.starters.${known}.description`),
    };
    return { ...starter, ...words };
  };
  return (
    <ul className={classes.cards}>
      {starters.map(inWords).map(({ key, name, description, is_applied }) => (
        <li key={key} className={classes.card}>
          <h3>
            {name}
            {is_applied === 1 && <Tag tone="good">{t("moving.applied")}</Tag>}
          </h3>
          <p>{description}</p>
          <Button
            size="xs"
            variant={is_applied === 1 ? "subtle" : "default"}
            color={is_applied === 1 ? "gray" : "iris"}
            aria-label={t(is_applied === 1 ? "moving.compare_name" : "moving.use_name", { name })}
            onClick={() => onChoose({ name, source: { starter: key } })}
          >
            {t(is_applied === 1 ? "moving.compare" : "moving.use")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Export() {
  const { t } = useTranslation();
  const [records, setRecords] = useState(false);
  const write = useWrite({
    mutationFn: () => client.design.exportDesign(records),
    onSuccess: (design) => {
      const day = new Date().toISOString().slice(0, 10);
      keepFile(`design-${day}.json`, new Blob([design], { type: "application/json" }));
      showDone(t("moving.exported"));
    },
    onError: (error) => showWarning(error.message),
  });
  return (
    <div className={classes.row}>
      <Button
        variant="default"
        loading={write.isPending}
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        onClick={() => write.mutate()}
      >
        {t("moving.export")}
      </Button>
      <Checkbox
        size="xs"
        label={t("moving.with_records")}
        checked={records}
        onChange={(event) => setRecords(event.currentTarget.checked)}
      />
    </div>
  );
}

function Import({ onChoose }: ChoosingProps) {
  const { t } = useTranslation();
  const [refusal, setRefusal] = useState<string>();
  const take = async (file: File | undefined): Promise<void> => {
    setRefusal(undefined);
    if (file) onChoose({ name: file.name, source: { design: await file.text() } });
  };
  return (
    <>
      {refusal !== undefined && <Notice tone="bad">{refusal}</Notice>}
      <div className={classes.dropPlace}>
        <DropZone
          label={t("moving.choose")}
          maxBytes={MOST_BYTES}
          onFiles={([file]) => void take(file).catch((error: unknown) => setRefusal(String(error)))}
          onRefuse={setRefusal}
        >
          <Text size="sm" fw={500} className={classes.drop ?? ""}>
            {t("moving.choose")}
          </Text>
        </DropZone>
      </div>
    </>
  );
}

function LastApplied({ last }: { readonly last: NonNullable<MovingDesigns["last"]> }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [allowLoss, setAllowLoss] = useState(false);
  const [override, setOverride] = useState(false);
  const close = (): void => {
    setAsking(false);
    setAllowLoss(false);
    setOverride(false);
  };
  const write = useWrite({
    mutationFn: () => client.design.rollBackDesign(allowLoss, override),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      showDone(t("moving.rolled_back"));
      close();
    },
  });
  const reason = write.error instanceof WireFailure ? write.error.reason : undefined;
  return (
    <div className={classes.last}>
      <span>
        {t("moving.last", { name: last.name })} · <Ago text={last.applied} />
      </span>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("moving.roll_back_title", { name: last.name })}
        onClick={() => setAsking(true)}
      >
        {t("moving.roll_back")}
      </Button>
      <ConfirmDialog
        opened={asking}
        close={close}
        title={t("moving.roll_back_title", { name: last.name })}
        lead={t("moving.roll_back_lead")}
        action={t("moving.roll_back")}
        onConfirm={() => write.mutate()}
        change={write}
      >
        {(override || reason === "design_changed_since") && (
          <Checkbox
            size="xs"
            label={t("moving.override")}
            checked={override}
            onChange={(event) => setOverride(event.currentTarget.checked)}
          />
        )}
        {(allowLoss || reason === "design_loses") && (
          <Checkbox
            size="xs"
            label={t("moving.allow_loss")}
            checked={allowLoss}
            onChange={(event) => setAllowLoss(event.currentTarget.checked)}
          />
        )}
      </ConfirmDialog>
    </div>
  );
}
