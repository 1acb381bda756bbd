// What a record type is: its facts, its fields, its connections, and who may do what. The chosen tab is in the address.
import { Button, Skeleton, Tabs } from "@mantine/core";
import { IconError404, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { schemaQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";
import { withTexts } from "../../texts/languages.ts";
import { aboutTabs } from "./about-tabs.ts";
import { AccessPart } from "./access-part.tsx";
import { ConnectionsPart } from "./connections-part.tsx";
import { Facts } from "./facts.tsx";
import { FieldsPart } from "./fields-part.tsx";

const DesignsPart = lazy(async () => ({
  default: (await withTexts("design", () => withFieldParts(() => import("../design/designs-part.tsx")))).DesignsPart,
}));

export function AboutScreen() {
  const { t } = useTranslation();
  const { module, controller } = useParams({ from: "/inside/$module/$controller/about" });
  const key = `${module}/${controller}`;
  const query = useQuery(schemaQuery(key));
  usePageTitle(query.data && t("about.title", { type: query.data.recordType.plural }));
  return (
    <Loaded
      query={query}
      skeleton={<AboutSkeleton />}
      notFound={
        <EmptyState icon={IconError404} title={t("states.no_type", { type: key })} text={t("states.not_found_lead")} />
      }
    >
      {(schema) => <About key={key} schema={schema} />}
    </Loaded>
  );
}

function About({ schema }: { readonly schema: RecordTypeSchema }) {
  const { t } = useTranslation();
  const { tab = "fields" } = useSearch({ from: "/inside/$module/$controller/about" });
  const navigate = useNavigate({ from: "/$module/$controller/about" });
  const { recordType } = schema;
  const { identity } = useSession();
  const isAdministrator = identity?.user?.is_administrator === "1";
  const choose = (value: string | null) => {
    const chosen = aboutTabs.find((each) => each === value);
    void navigate({ search: chosen === undefined || chosen === "fields" ? {} : { tab: chosen }, replace: true });
  };
  return (
    <>
      <PageHead
        title={recordType.plural}
        lead={t("about.lead", { label: recordType.label })}
        icon={<NamedIcon name={recordType.icon} size={20} />}
      >
        {isAdministrator && recordType.scope === "organization" && (
          <Button
            component={Link}
            to={`/metadata/record_types/view?key=${encodeURIComponent(recordType.key)}`}
            size="xs"
            variant="default"
            leftSection={<IconPencil size={15} stroke={1.6} aria-hidden="true" />}
          >
            {t("about.design")}
          </Button>
        )}
      </PageHead>
      <Facts recordType={recordType} fields={schema.fields} />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="fields">{t("about.tab_fields")}</Tabs.Tab>
          <Tabs.Tab value="connections">{t("about.tab_connections")}</Tabs.Tab>
          <Tabs.Tab value="access">{t("about.tab_access")}</Tabs.Tab>
          {isAdministrator && <Tabs.Tab value="design">{t("about.tab_design")}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="fields">
          <FieldsPart fields={schema.fields} />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <ConnectionsPart schema={schema} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <AccessPart recordTypeKey={recordType.key} />
        </Tabs.Panel>
        <Tabs.Panel value="design">
          <PartBoundary fallback={<Skeleton h={240} />}>
            <DesignsPart
              recordType={recordType}
              mayHaveWorkflow={schema.fields.some(({ name }) => name === "current_stage")}
            />
          </PartBoundary>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function AboutSkeleton() {
  return (
    <>
      <PageHead
        title=" "
        icon={<Skeleton h={40} w={40} />}
        lead={<Skeleton component="span" h={10} w={280} my={5} display="block" />}
      />
      <Skeleton h={44} mb={28} />
      <Skeleton h={30} w={320} mb={28} />
      {Array.from({ length: 9 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <Skeleton key={row} h={12} w={`${88 - ((row * 13) % 40)}%`} my={24} />
      ))}
    </>
  );
}
