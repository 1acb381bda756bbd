// One's own names and preferences, to change: names, time zone, hour format, locale and theme.
import { Button, SimpleGrid, Skeleton, Stack, TextInput, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "../../../client/people/users.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { LateSelect } from "../../parts/controls/late-select.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { showDone } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { queryClient } from "../../query-client.ts";
import { client, session } from "../../session/session.ts";

const names = ["first_name", "last_name", "title", "time_zone", "hour_format", "locale", "theme"] as const;
type Draft = Record<(typeof names)[number], string>;

const schemes = { "default/auto": "auto", "default/light": "light", "default/dark": "dark" } as const;
const isTheme = (theme: string): theme is keyof typeof schemes => theme in schemes;

const FIELD_HEIGHT = 60.5;
const BUTTON_HEIGHT = 36;

export function ProfileForm() {
  const query = useQuery({ queryKey: ["profile"], queryFn: ({ signal }) => client.account.readProfile(signal) });
  return (
    <Loaded query={query} skeleton={<Ghost />}>
      {(profile) => <Fields profile={profile} />}
    </Loaded>
  );
}

/** As high as the fields that come. */
function Ghost() {
  return (
    <Stack gap="md" aria-hidden="true">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {names.map((name) => (
          <Skeleton key={name} h={FIELD_HEIGHT} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton h={BUTTON_HEIGHT} w={120} radius="md" />
    </Stack>
  );
}

function Fields({ profile }: { readonly profile: Profile }) {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const { users } = profile.data;
  // Every name has its entry.
  const [draft, setDraft] = useState(() => Object.fromEntries(names.map((name) => [name, users[name] ?? ""])) as Draft);
  const save = useWrite({
    mutationFn: () => client.account.saveProfile(draft),
    onSuccess: (answer) => {
      session.tell(answer.data.users);
      if (isTheme(draft.theme)) setColorScheme(schemes[draft.theme]);
      // What the service counts by days, or writes as text, is another one in another time zone or locale.
      void queryClient.invalidateQueries();
      showDone(t("profile.saved"));
    },
  });
  const byField = save.error instanceof WireFailure ? save.error.byField : {};
  const text = (name: keyof Draft) => ({
    label: t(`profile.${name}`),
    value: draft[name],
    error: byField[`users.${name}`]?.join(" "),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setDraft((now) => ({ ...now, [name]: value }));
    },
  });
  const choice = (name: keyof Draft, data: readonly { value: string; label: string }[]) => ({
    ...text(name),
    data: [...data],
    allowDeselect: false,
    nothingFoundMessage: t("signup.nothing"),
    onChange: (value: string | null) => setDraft((now) => ({ ...now, [name]: value ?? "" })),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t("profile.heading")}>
      <Stack gap="md">
        {save.error && Object.keys(byField).length === 0 && <Notice tone="bad">{save.error.message}</Notice>}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput {...text("first_name")} autoComplete="given-name" />
          <TextInput {...text("last_name")} autoComplete="family-name" withAsterisk />
          <TextInput {...text("title")} autoComplete="organization-title" />
          <LateSelect
            searchable
            {...choice(
              "time_zone",
              Object.keys(profile.timezones).map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
            )}
          />
          <LateSelect
            searchable
            {...choice(
              "locale",
              profile.locales.map(({ value, text: label }) => ({ value, label })),
            )}
          />
          <LateSelect
            {...choice(
              "hour_format",
              Object.keys(profile.hour_format).map((value) => ({
                value,
                label: t(value === "12" ? "profile.hours_12" : "profile.hours_24"),
              })),
            )}
          />
          <LateSelect
            {...choice(
              "theme",
              Object.values(profile.themes)
                .flat()
                .map(({ value, text: label }) => ({
                  value,
                  label: isTheme(value) ? t(`shell.theme_${schemes[value]}`) : label,
                })),
            )}
          />
        </SimpleGrid>
        <div>
          <Button type="submit" loading={save.isPending}>
            {t("profile.save")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
