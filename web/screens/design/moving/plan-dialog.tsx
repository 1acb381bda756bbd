// What a design would change, thing by thing, before it is applied: what is new, what differs, what would be lost, who is missing.
// Applied in one step, or not at all.
import { Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type DesignPlan,
  type DesignSource,
  designKinds,
  type PlannedThing,
} from "../../../../client/design/moving.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";
import { AffectedUses } from "./affected-uses.tsx";
import classes from "./moving.module.css";

/** Of one thing; the rest is a number. */
const CHANGES_SHOWN = 5;

const tones = { add: "good", change: "word", remove: "bad", unchanged: "word" } as const;

let looks = 0;

/** What is wrong with the file is said of the parameter that it was sent as. */
const withoutParameter = (words: string): string => words.replace(/^design\s?[:：]\s?/u, "");

export interface ChosenDesign {
  readonly name: string;
  readonly source: DesignSource;
}

interface PlanDialogProps {
  readonly chosen: ChosenDesign;
  readonly close: () => void;
}

export function PlanDialog({ chosen, close }: PlanDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isPhone = useMediaQuery("(max-width: 767px)") ?? false;
  const [allowLoss, setAllowLoss] = useState(false);
  const [look] = useState(() => ++looks);
  useReturnFocus(true);
  const query = useQuery({
    queryKey: ["design", "plan", look],
    queryFn: ({ signal }) => client.design.planDesign(chosen.source, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  // A file has a name of its own within.
  const name = "starter" in chosen.source ? chosen.name : (query.data?.design.name ?? chosen.name);
  const plan = query.data?.plan;
  const changing = plan?.items.filter(({ action }) => action !== "unchanged") ?? [];
  const apply = useWrite({
    mutationFn: (fingerprint: string) => client.design.applyDesign(chosen.source, fingerprint, allowLoss),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      showDone(t("moving.done", { name }));
      close();
    },
    // Somebody designed meanwhile: what is shown is compared again.
    onError: () => void query.refetch(),
  });
  const isHeld = plan === undefined || plan.missing.length > 0 || (plan.losses.length > 0 && !allowLoss);
  const failure = query.error ?? apply.error;
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      fullScreen={isPhone}
      title={t("moving.preview", { name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md" className={classes.dialog ?? ""}>
        {query.isFetching && plan === undefined && (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t("moving.reading")}
            </Text>
            <Skeleton h={160} radius="md" />
          </>
        )}
        {failure && <Notice tone="bad">{reasonsOf(failure).map(withoutParameter).join(" ")}</Notice>}
        {plan && changing.length === 0 && <Notice tone="news">{t("moving.same")}</Notice>}
        {plan && changing.length > 0 && <Plan title={t("moving.preview", { name })} things={changing} />}
        {plan && plan.missing.length > 0 && <Missing missing={plan.missing} />}
        {plan && plan.losses.length > 0 && <Losses losses={plan.losses} isAllowed={allowLoss} onAllow={setAllowLoss} />}
        {plan && <AffectedUses plan={plan} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t(plan && changing.length === 0 ? "actions.close" : "actions.cancel")}
          </Button>
          {(plan === undefined || changing.length > 0) && query.error === null && (
            <Button disabled={isHeld} loading={apply.isPending} onClick={() => plan && apply.mutate(plan.fingerprint)}>
              {t("moving.apply")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

interface PlanProps {
  readonly title: string;
  readonly things: readonly PlannedThing[];
}

function Plan({ title, things }: PlanProps) {
  const { t } = useTranslation();
  const groups = designKinds
    .map((kind) => ({ kind, things: things.filter((thing) => thing.kind === kind) }))
    .filter((group) => group.things.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <section className={classes.plan} tabIndex={0} aria-label={title}>
      {groups.map((group) => (
        <div key={group.kind}>
          <h3>{t(`moving.kinds.${group.kind}`)}</h3>
          <ul className={classes.things}>
            {group.things.map((thing) => (
              <Thing key={thing.key} thing={thing} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Thing({ thing }: { readonly thing: PlannedThing }) {
  const { t } = useTranslation();
  const { name, action, changes } = thing;
  const [called, where] = inParts(name);
  const more = changes.length - CHANGES_SHOWN;
  const said = (value: string | null) => value ?? t("moving.nothing");
  return (
    <li>
      <div className={classes.thing}>
        <span dir="auto">
          {called} {where !== "" && <small>{where}</small>}
        </span>
        <Tag tone={tones[action]}>{t(`moving.actions.${action}`)}</Tag>
      </div>
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {changes.slice(0, CHANGES_SHOWN).map(({ path, from, to }) => (
            <li key={path}>{t("moving.from_to", { path, from: said(from), to: said(to) })}</li>
          ))}
          {more > 0 && <li>{t("moving.more_changes", { count: more })}</li>}
        </ul>
      )}
    </li>
  );
}

/** A name ends with where the thing belongs, in parentheses. */
function inParts(name: string): readonly [called: string, where: string] {
  const start = name.endsWith(")") ? name.lastIndexOf(" (") : -1;
  return start === -1 ? [name, ""] : [name.slice(0, start), name.slice(start + 2, -1)];
}

function Missing({ missing }: Pick<DesignPlan, "missing">) {
  const { t } = useTranslation();
  return (
    <Notice tone="bad" title={t("moving.missing")}>
      <ul>
        {missing.map((one) => (
          <li key={`${one.in} ${one.name}`}>
            {t("moving.missing_line", { name: one.name.replace(":@", " "), in: one.in })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface LossesProps extends Pick<DesignPlan, "losses"> {
  readonly isAllowed: boolean;
  readonly onAllow: (isAllowed: boolean) => void;
}

function Losses({ losses, isAllowed, onAllow }: LossesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Notice tone="bad" title={t("moving.losses")}>
      <ul>
        {losses.map(({ type, field, values }) => (
          <li key={`${type} ${field}`}>
            {field === null
              ? t("moving.loss_type", { type, values: formats.count(values) })
              : t("moving.loss_field", { type, field, values: formats.count(values) })}
          </li>
        ))}
      </ul>
      <Checkbox
        size="xs"
        mt="xs"
        label={t("moving.allow_loss")}
        checked={isAllowed}
        onChange={(event) => onAllow(event.currentTarget.checked)}
      />
    </Notice>
  );
}
