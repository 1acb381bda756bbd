// The addresses under which one's lists can be read without signing in.
import { Skeleton } from "@mantine/core";
import { IconRss } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { FeedLinksTable, useFeedLinks } from "../../parts/feed-links.tsx";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { useMaySubscribe } from "../../parts/use-may-subscribe.ts";

export function FeedLinksPart() {
  const { t } = useTranslation();
  const query = useFeedLinks();
  const maySubscribe = useMaySubscribe();
  if (!maySubscribe && !query.data?.length) return null;
  return (
    <Section title={t("programs.links")} lead={t("programs.links_lead")}>
      <Loaded query={query} skeleton={<Skeleton h={110} radius="md" />}>
        {(links) =>
          links.length === 0 ? (
            <EmptyState icon={IconRss} title={t("programs.no_links")} text={t("programs.no_links_lead")} small />
          ) : (
            <FeedLinksTable label={t("programs.links_list")} links={links} withView />
          )
        }
      </Loaded>
    </Section>
  );
}
