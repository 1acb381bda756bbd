// What a text finds in all record types that one may list, by type. The text is in the address.
import { Skeleton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SearchGroup, tellingLine } from "../../../client/lists/search.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { RecordMark } from "../../parts/shell/record-mark.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import { searchQuery } from "../../queries.ts";
import classes from "./search-screen.module.css";

const BREATH_MS = 220;
const PER_TYPE = 20;

export function SearchScreen() {
  const { t } = useTranslation();
  const { text = "" } = useSearch({ from: "/inside/core/search/index" });
  const navigate = useNavigate({ from: "/core/search/index" });
  const typeLabel = useTypeLabel();
  const [typed, setTyped] = useState(text);
  const box = useRef<HTMLInputElement>(null);
  const query = useQuery({ ...searchQuery(text, PER_TYPE), enabled: text !== "", placeholderData: keepPreviousData });
  usePageTitle(text === "" ? t("commands.search_page") : t("commands.search_for", { text }));
  const search = useDebouncedCallback(
    (next: string) => void navigate({ search: next.trim() === "" ? {} : { text: next.trim() }, replace: true }),
    BREATH_MS,
  );
  useEffect(() => box.current?.focus(), []);
  // The palette leads here with another text.
  useEffect(() => setTyped((before) => (before.trim() === text ? before : text)), [text]);
  return (
    <>
      <PageHead title={t("commands.search_page")} icon={<IconSearch size={20} />} />
      <TextInput
        ref={box}
        type="search"
        aria-label={t("commands.search_page")}
        placeholder={t("commands.search_lead")}
        leftSection={<IconSearch size={16} stroke={1.6} aria-hidden="true" />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        mb="xl"
      />
      {text !== "" && (
        <Loaded query={query} skeleton={<Skeleton h={180} />}>
          {({ groups, unfinished }) => (
            <div aria-busy={query.isPlaceholderData}>
              <span role="status" className="visually-hidden">
                {t("commands.found", { count: groups.reduce((sum, { records }) => sum + records.length, 0) })}
              </span>
              {unfinished.length > 0 && (
                <Notice tone="wait">{t("commands.unfinished", { types: unfinished.map(typeLabel).join(", ") })}</Notice>
              )}
              {groups.length === 0 && (
                <EmptyState icon={IconSearchOff} title={t("commands.none", { text })} text={t("list.no_match_lead")} />
              )}
              {groups.map((group) => (
                <Group key={group.controller} group={group} text={text} />
              ))}
            </div>
          )}
        </Loaded>
      )}
    </>
  );
}

function Group({ group, text }: { readonly group: SearchGroup; readonly text: string }) {
  const { t } = useTranslation();
  const [module = "", controller = ""] = group.controller.split("/");
  const params = { module, controller };
  return (
    <Section
      title={group.plural}
      action={
        group.has_more && (
          <Link
            to="/$module/$controller/index"
            params={params}
            search={{ search: text }}
            className={classes.all}
            aria-label={`${t("record.show_all")}: ${group.plural}`}
          >
            {t("record.show_all")}
          </Link>
        )
      }
    >
      <ul className={classes.hits}>
        {group.records.map((hit) => {
          const { id, name, business_key: key } = hit;
          const line = tellingLine(hit, group.records);
          return (
            <li key={id}>
              <Link to="/$module/$controller/view" params={params} search={{ id }} className={classes.hit}>
                <RecordMark name={name ?? id} icon={group.icon} size={28} />
                <span className={classes.words}>
                  <span dir="auto">{name ?? t("list.unnamed")}</span>
                  {line !== "" && (
                    <span className={classes.telling} dir="auto">
                      {line}
                    </span>
                  )}
                </span>
                {key !== null && <small>{key}</small>}
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
