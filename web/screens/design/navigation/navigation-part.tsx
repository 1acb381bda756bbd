// The navigation to be arranged: modules and their entries, moved by dragging or with the arrow keys, renamed, hidden, added.
// It is a draft until it is saved as a whole.
import { Button, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ArrangedNavigation } from "../../../../client/design/navigation.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { SaveButton } from "../../../parts/controls/save-button.tsx";
import { useKeptFocus } from "../../../parts/controls/use-kept-focus.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useShownNotice } from "../../../parts/use-shown-notice.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import { client } from "../../../session/session.ts";
import design from "../design.module.css";
import { designChoicesQuery } from "../design-queries.ts";
import { forgetArrangement, type HeldArrangement, heldArrangement, holdArrangement } from "./held-arrangement.ts";
import { changedModules, mergedArrangement } from "./merge-arrangements.ts";
import { ModuleCard } from "./module-card.tsx";
import classes from "./navigation.module.css";
import {
  type Chosen,
  isComplete,
  moved,
  type NavigationDraft,
  placeAfter,
  withKeys,
  withNewModule,
} from "./navigation-draft.ts";

const arrangementQuery = queryOptions({
  queryKey: ["design", "navigation"],
  queryFn: ({ signal }) => client.design.readArrangement(signal),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
});

export function NavigationPart() {
  const { t } = useTranslation();
  const choices = useQuery(designChoicesQuery);
  const mayDesign = choices.data?.may_design === 1;
  const query = useQuery({ ...arrangementQuery, enabled: mayDesign });
  const kept = useKeptFocus(query.data?.revision);
  return (
    <Section title={t("admin.part_navigation")} lead={t("navigation.lead")}>
      {choices.data?.may_design === 0 ? (
        <Notice tone="news">{t("navigation.operator_note")}</Notice>
      ) : (
        <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
          {(stored) => (
            <div {...kept} data-designer>
              <Arrangement key={stored.revision} stored={stored} />
            </div>
          )}
        </Loaded>
      )}
    </Section>
  );
}

/** What was not saved yet goes on from what is stored now. */
const startOf = (stored: ArrangedNavigation, held: HeldArrangement | undefined): NavigationDraft => {
  if (held === undefined) return stored.modules;
  return held.revision === stored.revision ? held.draft : mergedArrangement(held.base, stored.modules, held.draft);
};

function ChangedMeanwhile({ modules }: { readonly modules: readonly string[] }) {
  const { t, i18n } = useTranslation();
  const place = useShownNotice(undefined);
  return (
    <Notice tone="bad" ref={place} title={t("navigation.meanwhile")}>
      {t("navigation.meanwhile_lead", { names: new Intl.ListFormat(i18n.language).format(modules) })}
    </Notice>
  );
}

function Arrangement({ stored }: { readonly stored: ArrangedNavigation }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [held] = useState(heldArrangement);
  const [draft, setDraft] = useState<NavigationDraft>(() => startOf(stored, held));
  const [chosen, setChosen] = useState<Chosen>();
  const isDirty = draft !== stored.modules;
  useHeldPlace(isDirty);
  useEffect(() => {
    if (isDirty) holdArrangement({ revision: stored.revision, base: stored.modules, draft });
    else forgetArrangement();
  }, [isDirty, draft, stored]);
  const save = useWrite({
    mutationFn: () => client.design.arrangeNavigation(withKeys(draft, stored.modules), stored.revision),
    onSuccess: async () => {
      forgetArrangement();
      showDone(t("navigation.saved"));
      await Promise.all(
        [["navigation"], arrangementQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
    },
    onError: async (error) => {
      // What somebody else has saved comes, with this draft on top.
      if (error instanceof WireFailure && error.code === "conflict")
        await queryClient.invalidateQueries({ queryKey: arrangementQuery.queryKey });
    },
  });
  return (
    <>
      {save.isError && <Notice tone="bad">{save.error.message}</Notice>}
      {isDirty && held && held.revision !== stored.revision && (
        <ChangedMeanwhile modules={changedModules(held.base, stored.modules)} />
      )}
      <ul className={classes.modules}>
        {draft.map((module, place) => (
          <ModuleCard
            key={module.name}
            module={module}
            place={place}
            draft={draft}
            roles={stored.roles}
            chosen={chosen}
            onChoose={setChosen}
            onChange={setDraft}
            onMove={(from, gap) => {
              setDraft((now) => moved(now, from, gap));
              setChosen((open) => (typeof open === "object" ? placeAfter(open, from, gap) : open));
            }}
          />
        ))}
      </ul>
      <Button
        mt="sm"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden="true" />}
        onClick={() => {
          const next = withNewModule(draft, t("navigation.new_module_name"));
          setDraft(next);
          setChosen(next.at(-1)?.name);
        }}
      >
        {t("navigation.new_module")}
      </Button>
      <div className={design.bar}>
        <span role="status">
          {isDirty && (isComplete(draft) ? t("navigation.unsaved") : t("navigation.incomplete"))}
        </span>
        {isDirty && (
          <Button variant="default" onClick={() => setDraft(stored.modules)}>
            {t("navigation.discard")}
          </Button>
        )}
        <SaveButton isSaving={save.isPending} isDisabled={!isDirty || !isComplete(draft)} onSave={() => save.mutate()}>
          {t("navigation.save")}
        </SaveButton>
      </div>
    </>
  );
}
