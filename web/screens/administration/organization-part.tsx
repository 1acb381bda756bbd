// The organization's settings: logo, name, currency, time zone, locale, who may join by themselves and as what.
import { Button, Checkbox, Input, Skeleton, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OrganizationSettings } from "../../../client/people/administration.ts";
import type { SignupForm } from "../../../client/people/auth.ts";
import type { WireValue } from "../../../client/records/records.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { FileInput } from "../../fields/files/file-input.tsx";
import { FilePlaceContext } from "../../fields/files/file-place.ts";
import { heldFile } from "../../fields/files/pending-files.ts";
import { copyText } from "../../parts/controls/copy-text.ts";
import { LateSelect } from "../../parts/controls/late-select.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { RecordLink } from "../../parts/record-link.tsx";
import { anonymous, client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { ConfirmAddressNote } from "./confirm-address-note.tsx";
import { MailSendersPart } from "./mail-senders-part.tsx";
import { useChange } from "./use-change.ts";

const names = ["name", "currency_id", "time_zone", "locale", "allowed_domains"] as const;
type Draft = Record<(typeof names)[number], string>;

export function OrganizationPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-organization"],
    queryFn: async ({ signal }) => ({
      settings: await client.administration.readOrganization(signal),
      options: await anonymous.account.readSignupForm({}, signal),
    }),
  });
  return (
    <>
      <ConfirmAddressNote />
      <Section
        title={t("admin.part_organization")}
        lead={t("admin.organization_lead")}
        action={
          query.data && (
            <RecordLink module="access_controls" controller="organizations" id={query.data.settings.id}>
              {t("admin.organization_record")}
            </RecordLink>
          )
        }
      >
        <Loaded query={query} skeleton={<Skeleton h={420} radius="md" />}>
          {({ settings, options }) => <Settings settings={settings} options={options} />}
        </Loaded>
      </Section>
      <SignupRoles />
      {query.data?.settings.is_operator === "1" && <MailSendersPart />}
    </>
  );
}

const draftOf = (settings: OrganizationSettings): Draft =>
  // Every name has its entry.
  Object.fromEntries(names.map((name) => [name, settings[name] ?? ""])) as Draft;

/** Its history is on its record's own page. */
function Settings({ settings, options }: { readonly settings: OrganizationSettings; readonly options: SignupForm }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => draftOf(settings));
  /** Undefined while nobody touched it. */
  const [logo, setLogo] = useState<WireValue>();
  const [copied, setCopied] = useState(false);
  // Read anew after every save, also one that was refused: what is not saved yet stays.
  const [before, setBefore] = useState(settings);
  const [saved, setSaved] = useState<{ readonly draft: Draft; readonly logo: WireValue | undefined }>();
  if (before !== settings) {
    setBefore(settings);
    setSaved(undefined);
    if (saved && logo === saved.logo) setLogo(undefined);
    const [was, is] = [draftOf(before), draftOf(settings)];
    const isMine = (name: keyof Draft) => draft[name] !== was[name] && draft[name] !== saved?.draft[name];
    setDraft({ ...is, ...Object.fromEntries(names.filter(isMine).map((name) => [name, draft[name]])) });
  }
  const save = useChange({
    run: async () => {
      const picture = logo === undefined ? {} : { logo: heldFile(logo) ?? logo };
      const sent = { ...draft, ...picture, revision: settings.revision };
      const answer = await client.administration.saveOrganization(settings.id, sent);
      setSaved({ draft, logo });
      return answer;
    },
    done: t("admin.organization_saved"),
    refresh: ["admin-organization", "own-organization", "list"],
    quiet: true,
  });
  const byField = save.error instanceof WireFailure ? save.error.byField : {};
  const common = (name: keyof Draft) => ({
    label: t(`admin.organization_${name}`),
    value: draft[name],
    error: byField[`organizations.${name}`]?.join(" "),
  });
  const set = (name: keyof Draft, value: string | null) => setDraft((now) => ({ ...now, [name]: value ?? "" }));
  const select = (name: keyof Draft, data: { value: string; label: string }[]) => ({
    ...common(name),
    value: draft[name] || null,
    data,
    searchable: true,
    allowDeselect: false,
    nothingFoundMessage: t("signup.nothing"),
    onChange: (value: string | null) => set(name, value),
  });
  const facts = [
    [t("admin.users_active"), `${settings.active_user_count} / ${settings.user_count}`],
    [t("admin.records"), settings.record_count],
    [t("license.title"), t("license.version", { version: settings.license_agreement_version ?? "–" })],
  ] as const;
  const joinLink = `${location.origin}/access_controls/users/signup?organization_id=${settings.id}`;
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={t("admin.part_organization")}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {save.error && Object.keys(byField).length === 0 && <Notice tone="bad">{save.error.message}</Notice>}
      {settings.logoElement && (
        <Input.Wrapper label={settings.logoElement.label} labelProps={{ htmlFor: "organization-logo" }}>
          <FilePlaceContext value={{ recordTypeKey: "access_controls/organizations", id: settings.id }}>
            <FileInput
              element={settings.logoElement}
              id="organization-logo"
              value={logo === undefined ? settings.logo : logo}
              error={byField["organizations.logo"]?.join(" ")}
              describedBy={undefined}
              onChange={setLogo}
            />
          </FilePlaceContext>
        </Input.Wrapper>
      )}
      <TextInput {...common("name")} withAsterisk onChange={(event) => set("name", event.currentTarget.value)} />
      <LateSelect
        {...select(
          "currency_id",
          options.currencies.map(({ value, text }) => ({ value, label: text })),
        )}
      />
      <LateSelect
        {...select(
          "time_zone",
          Object.keys(options.timezones).map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
        )}
      />
      <LateSelect
        {...select(
          "locale",
          options.locales.map(({ value, text }) => ({ value, label: text })),
        )}
      />
      <Textarea
        {...common("allowed_domains")}
        description={t("admin.domains_lead")}
        dir="ltr"
        autosize
        minRows={2}
        onChange={(event) => set("allowed_domains", event.currentTarget.value)}
      />
      {draft.allowed_domains.trim() !== "" && (
        <TextInput
          label={t("admin.join_link")}
          description={t("admin.join_link_lead")}
          readOnly
          dir="ltr"
          value={joinLink}
          onFocus={(event) => event.currentTarget.select()}
          rightSectionWidth={76}
          rightSection={
            <Button size="compact-xs" variant="default" onClick={async () => setCopied(await copyText(joinLink))}>
              {t(copied ? "actions.copied" : "actions.copy")}
            </Button>
          }
        />
      )}
      <div>
        <Button type="submit" loading={save.isPending}>
          {t("admin.save")}
        </Button>
      </div>
    </form>
  );
}

function SignupRoles() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-roles"],
    queryFn: ({ signal }) => client.administration.listRoles(signal),
  });
  const mark = useChange({
    run: ({ id, offered }: { id: string; offered: boolean }) => client.administration.markSignupRole(id, offered),
    done: t("admin.organization_saved"),
    refresh: ["admin-roles"],
  });
  return (
    <Section title={t("admin.signup_roles")} lead={t("admin.signup_roles_lead")}>
      <Loaded query={query} skeleton={<Skeleton h={160} radius="md" />}>
        {(roles) => (
          <Stack gap="xs">
            {roles
              .filter((role) => !role.isAdministrator)
              .map((role) => (
                <Checkbox
                  key={role.id}
                  label={role.name}
                  description={role.description}
                  checked={role.isSignupRole}
                  disabled={mark.isPending}
                  onChange={(event) => mark.mutate({ id: role.id, offered: event.currentTarget.checked })}
                />
              ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
