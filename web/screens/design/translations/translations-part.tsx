// The labels of the design and what they are called in another language: one table to fill in, those without a translation first of all.
// It is a draft until it is saved.
import { Anchor, Button, Checkbox, Select, Skeleton, Text, TextInput } from "@mantine/core";
import { IconDeviceFloppy, IconLanguage } from "@tabler/icons-react";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
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
import { languageName, languageTitle } from "../../../texts/language-name.ts";
import { languages } from "../../../texts/languages.ts";
import design from "../design.module.css";
import { heldDrafts, holdDrafts, useHeldDrafts } from "./held-drafts.ts";
import { type Batch, batchesOf, noDrafts, withDraft, withoutSent } from "./translation-drafts.ts";
import classes from "./translations.module.css";

const wordingQuery = (language: string, type?: string) =>
  queryOptions({
    queryKey: ["wording", language, type],
    queryFn: ({ signal }) => client.design.readWording(language, type, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

const SHOWN = 100;
/** What a label and a translation can have at most. */
const LONGEST = 500;

export function TranslationsPart() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { type: asked } = useSearch({ from: "/inside/administration" });
  const [code, setCode] = useState(languages.find((one) => one.code !== i18n.language)?.code ?? "");
  const [type, setType] = useState<string | null>(asked ?? null);
  const [onlyMissing, setOnlyMissing] = useState(true);
  const [most, setMost] = useState(SHOWN);
  /** Saved since the screen was opened: they stay where one is typing. */
  const [saved, setSaved] = useState<readonly Batch[]>([]);
  const drafts = useHeldDrafts();
  // Its labels name all types; a label that several types have is listed at one of them.
  const all = useQuery({ ...wordingQuery(code), placeholderData: keepPreviousData });
  const query = useQuery(wordingQuery(code, type ?? undefined));
  const language = languageName(code, i18n.language);
  const isDirty = drafts.size > 0;
  useHeldPlace(isDirty);
  const write = useWrite({
    mutationFn: async () => {
      const sent: Batch[] = [];
      try {
        for (const batch of batchesOf(heldDrafts())) {
          await client.design.translateLabels(batch.language, batch.labels);
          sent.push(batch);
        }
        showDone(t("translating.saved"));
      } finally {
        setSaved((before) => [...before, ...sent]);
        // Whatever is on the screen may be called differently now.
        if (sent.length > 0) await queryClient.invalidateQueries();
        holdDrafts(withoutSent(heldDrafts(), sent));
      }
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
    // While it is being saved, what is stored is about to change.
    const isStored = text === (translation ?? "") && !write.isPending;
    holdDrafts(withDraft(heldDrafts(), code, label, isStored ? undefined : text));
  };
  const fillIn = (suggested: readonly Wording[]): void => {
    let next = heldDrafts();
    for (const one of suggested) next = withDraft(next, code, one.label, one.suggested ?? undefined);
    holdDrafts(next);
  };
  const isShown = (one: Wording): boolean =>
    !onlyMissing ||
    isMissing(one) ||
    draft.has(one.label) ||
    saved.some((batch) => batch.language === code && batch.labels.has(one.label));
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
      <div data-designer>
        <div className={classes.choices}>
          <Select
            size="xs"
            label={t("translating.language")}
            data={languages.map((one) => ({ value: one.code, label: languageTitle(one.code, i18n.language) }))}
            value={code}
            allowDeselect={false}
            onChange={(value) => setCode(value ?? code)}
          />
          <Select
            size="xs"
            label={t("translating.type")}
            placeholder={t("translating.all_types")}
            data={typesOf([...(all.data ?? []), ...(query.data ?? [])])}
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
        <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
          {(labels) => {
            // Those that are too long can't have a translation.
            const missing = labels.filter((one) => isMissing(one) && one.is_too_long !== 1);
            const shown = labels.filter(isShown);
            const suggested = missing.filter((one) => one.suggested !== null && !draft.has(one.label));
            return (
              <>
                <Text size="sm" c="dimmed" mb="sm" role="status">
                  {missing.length > 0 && t("translating.left", { count: missing.length })}
                  {missing.length === 0 && shown.length > 0 && t("translating.none_left", { language })}
                </Text>
                {suggested.length > 0 && (
                  <Button mb="sm" size="xs" variant="default" onClick={() => fillIn(suggested)}>
                    {t("translating.fill_in", { count: suggested.length })}
                  </Button>
                )}
                {shown.length === 0 && onlyMissing && (
                  <EmptyState
                    small
                    icon={IconLanguage}
                    title={t("translating.none_left", { language })}
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
                          {one.is_too_long === 1 ? (
                            <Text size="xs" c="dimmed">
                              {t("translating.too_long", { most: LONGEST })}
                            </Text>
                          ) : (
                            <TextInput
                              size="xs"
                              dir="auto"
                              lang={code}
                              maxLength={LONGEST}
                              aria-label={t("translating.input", { label: one.label, language })}
                              placeholder={one.shipped ?? one.suggested ?? undefined}
                              value={draft.get(one.label) ?? one.translation ?? ""}
                              onChange={(event) => change(one, event.currentTarget.value)}
                              onKeyDown={toNext}
                            />
                          )}
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
            <Button size="xs" variant="subtle" color="gray" onClick={() => holdDrafts(noDrafts)}>
              {t("navigation.discard")}
            </Button>
          )}
          <SaveButton size="xs" isSaving={write.isPending} isDisabled={!isDirty} onSave={save}>
            {t("translating.save")}
          </SaveButton>
        </div>
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
  const row = event.currentTarget.closest("tr");
  for (let next = row?.nextElementSibling; next; next = next.nextElementSibling) {
    const input = next.querySelector("input");
    input?.focus();
    if (input) return;
  }
}
