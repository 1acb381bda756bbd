// The command palette: records, record types, views and actions by a few letters, everything by keyboard.
import "@mantine/spotlight/styles.layer.css";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { IconArrowRight, IconSearch, IconTable } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { tellingLine } from "../../../client/lists/search.ts";
import { findViewsQuery, isSearching, navigationQuery, searchQuery } from "../../queries.ts";
import { NamedIcon } from "../layout/icon.tsx";
import { useRecentRecords } from "../recent-records.ts";
import { RecordMark } from "../shell/record-mark.tsx";
import { useTypeLabel } from "../use-type-label.ts";
import classes from "./commands.module.css";
import { type CommandGroup, useAllCommands } from "./commands.ts";
import { KeyCaps } from "./key-caps.tsx";
import { whenComposed } from "./type-ahead.ts";

const [store, spotlight] = createSpotlight();

const BREATH_MS = 160;
const PER_TYPE = 4;
const MOST_RECENT = 6;

/** What one is looking at comes before what is always there. */
const order: readonly CommandGroup[] = ["record", "list", "go", "app"];

interface Item {
  readonly id: string;
  readonly label: string;
  /** What tells it from others that are called so. */
  readonly line?: string;
  readonly icon: ReactNode;
  readonly end?: ReactNode;
  readonly run: () => void;
}

/** The library marks what is selected in the list itself. */
function selectFirst(): void {
  listed("[data-selected]")?.removeAttribute("data-selected");
  listed("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

const listed = (selector: string) =>
  document.getElementById(store.getState().listId)?.querySelector<HTMLElement>(selector);

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function Palette({ opened, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  useEffect(() => (opened ? whenComposed(spotlight.open) : spotlight.close()), [opened]);
  const { groups, isSettled } = useItems(query.trim());
  // What arrives later comes above: the first of all is the one that Enter takes.
  const first = groups[0]?.items[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is first
  useEffect(() => {
    const timer = setTimeout(selectFirst);
    return () => clearTimeout(timer);
  }, [first, opened]);
  // Enter takes the first hit of what was typed, never of what was typed before: it waits for the answer. Who moved to
  // another hit takes that one.
  const hasMoved = useRef(false);
  const [isAwaited, setAwaited] = useState(false);
  const isReady = isSettled || groups[0]?.kind === "actions";
  useEffect(() => {
    if (!isAwaited || !isReady) return;
    setAwaited(false);
    listed("[data-action]")?.click();
  }, [isAwaited, isReady]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") hasMoved.current = true;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || hasMoved.current) return;
    event.preventDefault();
    event.stopPropagation();
    setAwaited(true);
  };
  const ask = (text: string): void => {
    hasMoved.current = false;
    setAwaited(false);
    setQuery(text);
  };
  // Handed on to the scroll area within, though the types do not say so: what scrolls is reached by keyboard.
  const scrolls = { viewportProps: { tabIndex: 0, role: "group", "aria-label": t("commands.palette") } };
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={ask}
      onSpotlightClose={onClose}
      scrollable
      maxHeight="min(60dvh, 480px)"
      size="lg"
      radius="lg"
      centered={false}
      classNames={{
        action: classes.action ?? "",
        actionsGroup: classes.actionsGroup ?? "",
        actionsList: classes.actionsList ?? "",
        search: classes.search ?? "",
      }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      title={<span className="visually-hidden">{t("commands.palette")}</span>}
      styles={{ header: { minHeight: 0, height: 0, padding: 0 } }}
    >
      <Spotlight.Search
        placeholder={t("commands.placeholder")}
        aria-label={t("commands.placeholder")}
        aria-busy={isAwaited}
        onKeyDownCapture={press}
        leftSection={<IconSearch size={17} stroke={1.6} aria-hidden="true" />}
      />
      <Spotlight.ActionsList {...scrolls}>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ id, label: words, line, icon, end, run }) => (
              <Spotlight.Action key={id} onClick={run}>
                <span className={classes.hit}>
                  {icon}
                  <span>
                    {words}
                    {line && <span className={classes.telling}>{line}</span>}
                  </span>
                  {end !== undefined && <small>{end}</small>}
                </span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t("commands.nothing")}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const recordAddress = (key: string, id: string): string => `/${key}/view?id=${encodeURIComponent(id)}`;

interface Items {
  readonly groups: readonly { readonly kind?: "actions"; readonly label: string; readonly items: readonly Item[] }[];
  /** Nothing more is on its way. */
  readonly isSettled: boolean;
}

function useItems(query: string): Items {
  const { t } = useTranslation();
  const router = useRouter();
  const typeLabel = useTypeLabel();
  const commands = useAllCommands();
  const recent = useRecentRecords();
  const { data: navigation = [] } = useQuery(navigationQuery);
  const [text] = useDebouncedValue(query, BREATH_MS);
  const asked = { enabled: text.length > 1, placeholderData: keepPreviousData };
  const hits = useQuery({ ...searchQuery(text, PER_TYPE), ...asked });
  const views = useQuery({ ...findViewsQuery(text), ...asked });
  const queryClient = useQueryClient();
  const isSettled =
    query.length < 2 ||
    (text === query &&
      [hits, views].every((one) => !one.isPending && !one.isPlaceholderData) &&
      !isSearching(queryClient.getQueryState(searchQuery(text, PER_TYPE).queryKey)));
  const go = (href: string) => () => void router.navigate({ href });
  const letters = query.toLocaleLowerCase();
  const matches = (label: string): boolean =>
    letters.split(/\s+/).every((word) => label.toLocaleLowerCase().includes(word));
  const iconOf = (key: string) => navigation.flatMap((module) => module.entries).find((one) => one.key === key)?.icon;

  const actions = commands
    .filter(({ label, run, when }) => run !== undefined && when === undefined && (query === "" || matches(label)))
    .sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group))
    .map(
      ({ id, label, keys, icon: CommandIcon = IconArrowRight, iconName, run }): Item => ({
        id: `command ${id}`,
        label,
        icon:
          iconName === undefined ? (
            <CommandIcon size={16} stroke={1.6} aria-hidden="true" />
          ) : (
            <NamedIcon name={iconName} />
          ),
        end: keys === undefined ? undefined : <KeyCaps keys={keys} />,
        // Once the palette has given the focus back.
        run: () => setTimeout(() => run?.()),
      }),
    );
  if (query === "") {
    const groups = [
      {
        label: t("commands.recent"),
        items: recent.slice(0, MOST_RECENT).map(({ key, id, name }) => ({
          id: `recent ${key} ${id}`,
          label: name,
          icon: <RecordMark name={name} icon={iconOf(key)} />,
          end: typeLabel(key),
          run: go(recordAddress(key, id)),
        })),
      },
      { label: t("commands.actions"), items: actions },
    ];
    return { groups: groups.filter(({ items }) => items.length > 0), isSettled };
  }
  const groups = [
    { kind: "actions" as const, label: t("commands.actions"), items: actions.slice(0, 6) },
    ...(text.length > 1 ? (hits.data?.groups ?? []) : [])
      // Views have a group of their own, which opens them.
      .filter(({ controller }) => controller !== "core/listviews")
      .map(({ controller, plural, icon, records }) => ({
        label: plural,
        items: records.map((hit) => ({
          id: `${controller} ${hit.id}`,
          label: hit.name ?? hit.id,
          line: tellingLine(hit, records),
          icon: <RecordMark name={hit.name ?? hit.id} icon={icon ?? iconOf(controller)} />,
          end: hit.business_key ?? undefined,
          run: go(recordAddress(controller, hit.id)),
        })),
      })),
    {
      label: t("list.views"),
      items: (text.length > 1 ? (views.data ?? []) : []).map(({ id, name, controller }) => ({
        id: `view ${id}`,
        label: name,
        icon: <IconTable size={16} stroke={1.6} aria-hidden="true" />,
        end: typeLabel(controller),
        run: go(`/${controller}/index?view=${id}`),
      })),
    },
    {
      label: t("commands.everything"),
      items: [
        {
          id: "everything",
          label: t("commands.search_for", { text: query }),
          icon: <IconSearch size={16} stroke={1.6} aria-hidden="true" />,
          run: go(`/core/search/index?text=${encodeURIComponent(query)}`),
        },
      ],
    },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isSettled };
}
