// The labels of the design and what they are called in another language: one table to fill in, those without a translation first of all.
// It is a draft until it is saved.
import { Anchor, Button, Checkbox, Select, Skeleton, Text, TextInput } from "@mantine/core";
import { IconDeviceFloppy, IconLanguage } from "@tabler/icons-react";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Wording } from "../../../../client/design/translations.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { SaveButton } from "../../../parts/controls/save-button.tsx";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import { client } from "../../../session/session.ts";
import { languages } from "../../../texts/languages.ts";
import design from "../design.module.css";
import classes from "./translations.module.css";

const wordingQuery = (language: string) =>
  queryOptions({
    queryKey: ["wording", language],
    queryFn: ({ signal }) => client.design.readWording(language, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

/** Labels are written in English, or in whatever language the builder speaks. */
const others = languages.filter(({ code }) => code !== "en");
const SHOWN = 100;

type Drafts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function TranslationsPart() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { type: asked } = useSearch({ from: "/inside/administration" });
  const [code, setCode] = useState(others.find((one) => one.code === i18n.language)?.code ?? others[0]?.code ?? "");
  const [type, setType] = useState<string | null>(asked ?? null);
  const [onlyMissing, setOnlyMissing] = useState(true);
  const [most, setMost] = useState(SHOWN);
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const query = useQuery(wordingQuery(code));
  const language = others.find((one) => one.code === code);
  const isDirty = [...drafts.values()].some(({ size }) => size > 0);
  useHeldPlace(isDirty);
  const write = useWrite({
    mutationFn: async () => {
      for (const [one, labels] of drafts) await client.design.translateLabels(one, labels);
    },
    onSuccess: async () => {
      showDone(t("translating.saved"));
      // Whatever is on the screen may be called differently now.
      await queryClient.invalidateQueries();
      setDrafts(new Map());
    },
  });
  const save = (): void => {
    if (isDirty && !write.isPending) write.mutate();
  };
  useCommands([
    { id: "save", label: t("translating.save"), group: "record", keys: "mod+S", icon: IconDeviceFloppy, run: save },
  ]);
  const draft = drafts.get(code) ?? new Map<string, string>();
  const change = ({ label, translation }: Wording, text: string): void => {
    const next = new Map(draft);
    if (text === (translation ?? "")) next.delete(label);
    else next.set(label, text);
    setDrafts(new Map([...drafts, [code, next]]));
  };
  return (
    <Section
      title={t("admin.part_translations")}
      lead={t("translating.lead")}
      action={
        <Anchor component={Link} to="/core/translations/index" size="sm">
          {t("translating.list")}
        </Anchor>
      }
    >
      {write.isError && <Notice tone="bad">{write.error.message}</Notice>}
      <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
        {(labels) => {
          const ofType = labels.filter((one) => type === null || one.type === type);
          const missing = ofType.filter(isMissing);
          const shown = onlyMissing ? missing : ofType;
          return (
            <>
              <div className={classes.choices}>
                <Select
                  size="xs"
                  label={t("translating.language")}
                  data={others.map((one) => ({ value: one.code, label: one.name }))}
                  value={code}
                  allowDeselect={false}
                  onChange={(value) => setCode(value ?? code)}
                />
                <Select
                  size="xs"
                  label={t("translating.type")}
                  placeholder={t("translating.all_types")}
                  data={typesOf(labels)}
                  value={type}
                  clearable
                  searchable
                  onChange={setType}
                />
                <Checkbox
                  size="xs"
                  label={t("translating.only_missing")}
                  checked={onlyMissing}
                  onChange={(event) => setOnlyMissing(event.currentTarget.checked)}
                />
              </div>
              <Text size="sm" c="dimmed" mb="sm" role="status">
                {missing.length > 0 && t("translating.left", { count: missing.length })}
              </Text>
              {shown.length === 0 && (
                <EmptyState
                  small
                  icon={IconLanguage}
                  title={t("translating.none_left", { language: language?.name })}
                  text={t("translating.none_left_lead")}
                />
              )}
              {shown.length > 0 && (
                <FactsTable
                  label={t("admin.part_translations")}
                  columns={[t("translating.label"), t("translating.translation")]}
                >
                  {shown.slice(0, most).map((one) => (
                    <tr key={one.label}>
                      <th scope="row" className={classes.label}>
                        {one.label}
                        <div className={classes.where}>
                          {[t(`translating.kinds.${one.kind}`), one.of, one.type_label].filter(Boolean).join(" · ")}
                        </div>
                      </th>
                      <td className={classes.translation}>
                        <TextInput
                          size="xs"
                          dir="auto"
                          lang={code}
                          maxLength={500}
                          aria-label={t("translating.input", { label: one.label, language: language?.name })}
                          placeholder={one.shipped ?? undefined}
                          value={draft.get(one.label) ?? one.translation ?? ""}
                          onChange={(event) => change(one, event.currentTarget.value)}
                          onKeyDown={toNext}
                        />
                      </td>
                    </tr>
                  ))}
                </FactsTable>
              )}
              {shown.length > most && (
                <Button mt="sm" size="xs" variant="default" onClick={() => setMost(most + SHOWN)}>
                  {t("translating.more", { count: shown.length - most })}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      <div className={design.bar}>
        <span role="status">{isDirty ? t("design.unsaved") : ""}</span>
        {isDirty && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => setDrafts(new Map())}>
            {t("navigation.discard")}
          </Button>
        )}
        <SaveButton size="xs" isSaving={write.isPending} isDisabled={!isDirty} onSave={save}>
          {t("translating.save")}
        </SaveButton>
      </div>
    </Section>
  );
}

const isMissing = ({ translation, shipped }: Wording): boolean => translation === null && shipped === null;

function typesOf(labels: readonly Wording[]) {
  const types = new Map(labels.flatMap(({ type, type_label }) => (type === null ? [] : [[type, type_label ?? type]])));
  return [...types]
    .map(([value, label]) => ({ value, label: `${label} (${value})` }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** Enter goes on to the next label. */
function toNext(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const next = event.currentTarget.closest("tr")?.nextElementSibling;
  next?.querySelector("input")?.focus();
}
