// The license agreement: the text in force, its versions, and a new one written, looked at and published.
import { Button, Checkbox, Group, Skeleton, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { License } from "../../../client/people/auth.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { FactsTable } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { LicenseFrame } from "../../parts/license-dialog.tsx";
import { Moment } from "../../parts/moment.tsx";
import { anonymous, client } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { useChange } from "./use-change.ts";

export function LicensePart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const [writing, setWriting] = useState(false);
  const origin = { organization_id: identity?.organizationId };
  const current = useQuery({
    queryKey: ["license", origin],
    queryFn: ({ signal }) => anonymous.account.readLicense(origin, signal),
  });
  const versions = useQuery({
    queryKey: ["admin-licenses"],
    queryFn: ({ signal }) => client.administration.listLicenses(signal),
  });
  const write = (
    <Button variant="default" disabled={writing || !current.data} onClick={() => setWriting(true)}>
      {t("admin.new_version")}
    </Button>
  );
  return (
    <>
      <Section title={t("license.title")} lead={t("admin.license_lead")} action={write}>
        <Loaded query={current} skeleton={<Skeleton h={420} radius="md" />}>
          {(license) =>
            writing ? (
              <LicenseEditor license={license} close={() => setWriting(false)} />
            ) : (
              <Stack gap="xs">
                <Text size="sm" c="dimmed">
                  {t("license.version", { version: license.license_agreement_version ?? "–" })}
                </Text>
                <LicenseFrame html={license.license_agreement} label={t("license.title")} />
              </Stack>
            )
          }
        </Loaded>
      </Section>
      <Section title={t("admin.versions")}>
        <Loaded query={versions} skeleton={<Skeleton h={80} radius="md" />}>
          {(rows) => (
            <FactsTable
              label={t("admin.versions")}
              columns={[t("admin.version"), t("admin.license_title"), t("admin.published"), t("admin.required_again")]}
            >
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.version}</th>
                  <td>{row.title}</td>
                  <td data-label={t("admin.published")}>
                    <Moment text={row.created} none="–" />
                  </td>
                  <td data-label={t("admin.required_again")}>{t(row.isRequiredAgain ? "admin.yes" : "admin.no")}</td>
                </tr>
              ))}
            </FactsTable>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function LicenseEditor({ license, close }: { readonly license: License; readonly close: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(license.license_agreement_title);
  const [text, setText] = useState(license.license_agreement);
  const [again, setAgain] = useState(false);
  const [looking, setLooking] = useState(false);
  const publish = useChange({
    run: () => client.administration.publishLicense({ title, text, is_required_again: again ? "1" : "0" }),
    done: t("admin.license_published"),
    refresh: ["license", "admin-licenses", "admin-organization", "unread"],
    after: close,
    quiet: true,
  });
  const byField = publish.error instanceof WireFailure ? publish.error.byField : {};
  function submit(event: FormEvent): void {
    event.preventDefault();
    publish.mutate(undefined);
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t("admin.new_version")}>
      <Stack gap="md">
        <TextInput
          label={t("admin.license_title")}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={byField["license_agreements.title"]?.join(" ")}
        />
        {looking ? (
          <LicenseFrame html={text} label={t("admin.preview")} />
        ) : (
          <Textarea
            label={t("admin.license_text")}
            description={t("admin.license_text_lead")}
            dir="auto"
            rows={16}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={
              byField["license_agreements.text"]?.join(" ") ??
              (Object.keys(byField).length === 0 ? publish.error?.message : undefined)
            }
          />
        )}
        <Checkbox
          label={t("admin.required_again")}
          description={t("admin.required_again_lead")}
          checked={again}
          onChange={(event) => setAgain(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button type="submit" loading={publish.isPending}>
            {t("admin.publish")}
          </Button>
          <Button variant="default" onClick={() => setLooking(!looking)}>
            {t(looking ? "admin.write_on" : "admin.preview")}
          </Button>
          <Button variant="subtle" color="gray" onClick={close}>
            {t("actions.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
