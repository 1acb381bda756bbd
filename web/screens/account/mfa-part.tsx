// Two-step login: whether it is on, and the ways to turn it on, to turn it off and to get new recovery codes.
import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MfaState } from "../../../client/people/mfa.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { Moment } from "../../parts/moment.tsx";
import { client } from "../../session/session.ts";
import { MFA_KEY } from "./mfa-key.ts";
import { RenewCodesDialog, TurnOffDialog } from "./mfa-prove-dialog.tsx";
import { TurnOnDialog } from "./mfa-turn-on-dialog.tsx";
import classes from "./profile-part.module.css";

/** Fewer than this many recovery codes are few. */
const FEW = 3;

type Asked = "on" | "off" | "renew";

export function MfaPart() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked>();
  const query = useQuery({ queryKey: [MFA_KEY], queryFn: ({ signal }) => client.account.readMfa(signal) });
  const close = () => setAsked(undefined);
  const turnOn = (
    <Button variant="default" onClick={() => setAsked("on")}>
      {t("mfa.turn_on")}
    </Button>
  );
  return (
    <Section title={t("mfa.title")} lead={t("mfa.lead")} action={query.data?.is_on === "0" ? turnOn : undefined}>
      <Loaded query={query} skeleton={<Skeleton h={60} radius="md" />}>
        {(state) => <State state={state} ask={setAsked} />}
      </Loaded>
      {asked === "on" && <TurnOnDialog close={close} />}
      {asked === "off" && <TurnOffDialog close={close} />}
      {asked === "renew" && <RenewCodesDialog close={close} />}
    </Section>
  );
}

function State({ state, ask }: { readonly state: MfaState; readonly ask: (asked: Asked) => void }) {
  const { t } = useTranslation();
  if (state.is_on === "0") {
    return (
      <Text size="sm" c="dimmed">
        {t("mfa.off")}
      </Text>
    );
  }
  return (
    <>
      {Number(state.recovery_codes_left) < FEW && <Notice tone="wait">{t("mfa.few_left")}</Notice>}
      <dl className={classes.facts}>
        <div>
          <dt>{t("mfa.is_on")}</dt>
          <dd>
            <Moment text={state.since} none="–" />
          </dd>
        </div>
        <div>
          <dt>{t("mfa.codes_left")}</dt>
          <dd>{state.recovery_codes_left}</dd>
        </div>
      </dl>
      <Group gap="xs">
        <Button variant="default" onClick={() => ask("renew")}>
          {t("mfa.renew")}
        </Button>
        <Button variant="default" onClick={() => ask("off")}>
          {t("mfa.turn_off")}
        </Button>
      </Group>
    </>
  );
}
