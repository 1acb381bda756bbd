// The page of one record, in its three ways: read, changed, new.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconError404, IconLock } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { FormMode, RecordView } from "../../../client/records/records.ts";
import { type DocumentProps, DocumentToolsContext } from "../../fields/files/document-tools.ts";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { forgetRecent, forgetRecentType } from "../../parts/recent-records.ts";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import { inlineFormQuery, recordQuery } from "../../queries.ts";
import { isTypeGone } from "../../query-client.ts";
import { withTexts } from "../../texts/languages.ts";
import { actionsOf } from "./form/form-rules.ts";
import { RecordEditor } from "./form/record-editor.tsx";
import { ReferenceToolsProvider } from "./form/reference-tools-provider.tsx";
import layout from "./panel-layout.module.css";
import { PanelSkeleton } from "./panels/panel-skeleton.tsx";
import classes from "./record.module.css";
import { RecordPage } from "./record-page.tsx";
import { useRecordName } from "./use-record-name.ts";

const Document = lazy(async () => ({
  default: (await withTexts("design", () => withFieldParts(() => import("../design/document.tsx")))).Document,
}));

function LazyDocument(props: DocumentProps) {
  return (
    <Suspense fallback={<Skeleton h={420} radius="md" />}>
      <Document {...props} />
    </Suspense>
  );
}

export function ViewScreen() {
  const { module, controller } = useParams({ from: "/inside/$module/$controller/view" });
  const { id } = useSearch({ from: "/inside/$module/$controller/view" });
  return <RecordScreen {...{ module, controller, id }} mode="view" />;
}

export function EditScreen() {
  const { module, controller } = useParams({ from: "/inside/$module/$controller/edit" });
  const { id } = useSearch({ from: "/inside/$module/$controller/edit" });
  return <RecordScreen {...{ module, controller, id }} mode="edit" />;
}

export function AddScreen() {
  const { module, controller } = useParams({ from: "/inside/$module/$controller/add" });
  return <RecordScreen {...{ module, controller }} id={undefined} mode="add" />;
}

interface RecordScreenProps {
  readonly module: string;
  readonly controller: string;
  readonly id: string | undefined;
  readonly mode: FormMode;
}

/** A form that is being filled in does not change under one's hands, and starts from what is stored now. */
const untouched = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

function RecordScreen({ module, controller, id, mode }: RecordScreenProps) {
  const key = `${module}/${controller}`;
  const queryClient = useQueryClient();
  const query = useQuery({
    ...recordQuery(key, mode, id),
    ...(mode === "view" ? {} : untouched),
    // Who comes from the record's page has its form already: it is there at once, and made anew behind it.
    ...(mode === "edit" && id !== undefined
      ? { placeholderData: () => queryClient.getQueryData(inlineFormQuery(key, id).queryKey) }
      : {}),
  });
  const nowhere = <NoRecord recordTypeKey={key} id={id} isTypeGone={isTypeGone(query.error)} />;
  if (mode !== "add" && id === undefined) return nowhere;
  return (
    <Loaded
      query={query}
      skeleton={<RecordSkeleton isPage={mode === "view"} />}
      notFound={nowhere}
      mayVanish={mode === "view"}
    >
      {(view) => {
        if (mode !== "view" && actionsOf(view.form).length === 0)
          return <NotEditable {...{ module, controller, view }} />;
        const Part = mode === "view" ? RecordPage : RecordEditor;
        return (
          <DocumentToolsContext value={LazyDocument}>
            <ReferenceToolsProvider key={`${key} ${id}`}>
              <Part {...{ module, controller, view }} record={view.data[view.alias] ?? {}} />
            </ReferenceToolsProvider>
          </DocumentToolsContext>
        );
      }}
    </Loaded>
  );
}

/** Nothing can be saved here: that is said before anything is typed. */
function NotEditable({ module, controller, view }: Omit<RecordScreenProps, "id" | "mode"> & { view: RecordView }) {
  const { t } = useTranslation();
  const typeLabel = useTypeLabel();
  const name = useRecordName(view);
  const { id } = view;
  const params = { module, controller };
  const title = id === null ? t("record.may_not_add", { label: view.singular }) : t("record.may_not_edit");
  usePageTitle(title);
  return (
    <EmptyState icon={IconLock} title={title} text={t("record.ask_for_access")}>
      {id === null ? (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/$module/$controller/index" params={params} />}
        >
          {t("record.to_list", { type: typeLabel(`${module}/${controller}`) })}
        </Button>
      ) : (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/$module/$controller/view" params={params} search={{ id }} />}
        >
          {t("record.to_record", { name })}
        </Button>
      )}
    </EmptyState>
  );
}

interface NoRecordProps {
  readonly recordTypeKey: string;
  readonly id: string | undefined;
  readonly isTypeGone: boolean;
}

function NoRecord({ recordTypeKey, id, isTypeGone }: NoRecordProps) {
  const { t } = useTranslation();
  // Its name is not to be read in the sidebar any more either.
  useEffect(() => {
    if (isTypeGone) forgetRecentType(recordTypeKey);
    else if (id !== undefined) forgetRecent(recordTypeKey, id);
  }, [recordTypeKey, id, isTypeGone]);
  const typeLabel = useTypeLabel();
  const title = isTypeGone ? t("states.no_type", { type: recordTypeKey }) : t("record.not_found");
  usePageTitle(title);
  return (
    <EmptyState icon={IconError404} title={title} text={t("record.not_found_lead")}>
      <Group gap="xs" justify="center">
        {!isTypeGone && (
          <Button component={Link} to={`/${recordTypeKey}/index`} variant="default">
            {t("record.to_list", { type: typeLabel(recordTypeKey) })}
          </Button>
        )}
        <Button component={Link} to="/core/search/index" variant="default">
          {t("commands.search_page")}
        </Button>
      </Group>
    </EmptyState>
  );
}

function RecordSkeleton({ isPage }: { readonly isPage: boolean }) {
  return (
    <div aria-hidden="true">
      <PageHead
        title=" "
        icon={<Skeleton h={20} w={20} />}
        lead={<Skeleton component="span" h={10} w={240} my={5} display="block" />}
      />
      <div className={layout.columns} data-two={isPage || undefined}>
        <div className={layout.wide}>
          <Skeleton h={12} w={90} mb={22} />
          <div className={classes.fields} data-columns={2}>
            {Array.from({ length: 14 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
              <div key={row} className={classes.field}>
                <Skeleton h={10} w={70 + ((row * 23) % 40)} my={11} />
                <Skeleton h={10} w={`${48 + ((row * 31) % 40)}%`} my={11} />
              </div>
            ))}
          </div>
        </div>
        {isPage && (
          <div className={layout.side}>
            <Skeleton h={12} w={180} mb={30} />
            <PanelSkeleton />
          </div>
        )}
      </div>
    </div>
  );
}
