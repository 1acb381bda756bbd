// The designer of a record type: of a new one, of one that was made here, or of a built-in one that people add to.
import { Skeleton } from "@mantine/core";
import { IconError404, IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesignChoices } from "../../../../client/design/design.ts";
import { useKeptFocus } from "../../../parts/controls/use-kept-focus.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { usePageTitle } from "../../../parts/use-page-title.ts";
import { definitionQuery, designChoicesQuery } from "../design-queries.ts";
import { type DesignerPlace, TypeDesigner } from "./type-designer.tsx";
import { draftOf, newDraft } from "./type-draft.ts";

export function NewTypeScreen() {
  const { t } = useTranslation();
  const [place, setPlace] = useState<DesignerPlace>({ part: "general" });
  usePageTitle(t("design.new_type"));
  return (
    <WithChoices>
      {(choices) => (
        <TypeDesigner
          choices={choices}
          stored={newDraft(t("design.name_field"))}
          revision={undefined}
          place={place}
          onPlace={setPlace}
        />
      )}
    </WithChoices>
  );
}

export function TypeScreen() {
  const { key = "" } = useSearch({ from: "/inside/metadata/record_types/view" });
  return <WithChoices>{(choices) => <StoredType key={key} recordTypeKey={key} choices={choices} />}</WithChoices>;
}

function WithChoices({ children }: { readonly children: (choices: DesignChoices) => React.ReactNode }) {
  const { t } = useTranslation();
  const query = useQuery(designChoicesQuery);
  return (
    <Loaded query={query} skeleton={<DesignerSkeleton />}>
      {(choices) =>
        choices.may_design === 1 ? (
          children(choices)
        ) : (
          <EmptyState icon={IconLock} title={t("states.forbidden")} text={t("design.operator_only")} />
        )
      }
    </Loaded>
  );
}

function StoredType({ recordTypeKey, choices }: { readonly recordTypeKey: string; readonly choices: DesignChoices }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<DesignerPlace>({ part: "fields" });
  const listed = choices.record_types.find(({ key }) => key === recordTypeKey);
  const isClosed = listed?.may_change === 0;
  const query = useQuery({ ...definitionQuery(recordTypeKey), enabled: !isClosed });
  const kept = useKeptFocus(query.data?.revision);
  usePageTitle(query.data && t("design.title", { name: query.data.definition.plural }));
  if (isClosed) return <EmptyState icon={IconLock} title={listed.plural} text={t("design.built_in_lead")} />;
  const nowhere = (
    <EmptyState
      icon={IconError404}
      title={t("states.no_type", { type: recordTypeKey })}
      text={t("states.not_found_lead")}
    />
  );
  return (
    <Loaded query={query} skeleton={<DesignerSkeleton />} notFound={nowhere}>
      {({ definition, shipped, revision, modified, modifiedBy }) => (
        <div {...kept}>
          <TypeDesigner
            key={revision}
            {...{ choices, revision, modified, modifiedBy, place }}
            onPlace={setPlace}
            stored={draftOf(definition, shipped)}
          />
        </div>
      )}
    </Loaded>
  );
}

function DesignerSkeleton() {
  return (
    <>
      <Skeleton h={40} w={280} mb={24} />
      <Skeleton h={30} w={360} mb={24} />
      <Skeleton h={320} />
    </>
  );
}
