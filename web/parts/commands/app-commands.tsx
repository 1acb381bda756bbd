// What works everywhere: the palette, the sheet of shortcuts, and going to the start page, the search and every record
// type. Palette and sheet are fetched when they are first asked for.
import { UnstyledButton, useMantineColorScheme } from "@mantine/core";
import {
  IconArrowBackUp,
  IconChecklist,
  IconHistory,
  IconHome,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSettings,
  IconTable,
  IconTerminal2,
  IconUserCircle,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { shownModules } from "../../../client/lists/navigation.ts";
import { forgetRecords, navigationQuery } from "../../queries.ts";
import { session } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { useReturnFocus } from "../controls/use-return-focus.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { askQuickAdd } from "../quick-add.ts";
import { undoNoted } from "../toasts.tsx";
import { titleOf } from "../undo/actions.ts";
import { hostUndo, nextUndo, useAskedUndo, useRecentActions } from "../undo/recent-actions.ts";
import classes from "./commands.module.css";
import { type Command, useCommands } from "./commands.ts";
import { KeyCaps } from "./key-caps.tsx";
import { assignLetters } from "./key-sequence.ts";
import { catchTyping } from "./type-ahead.ts";
import { useCommandKeys } from "./use-command-keys.ts";

const Palette = lazyPart(async () => (await import("./palette.tsx")).Palette, { hasInput: true });
const RecentActionsDialog = lazyPart(
  async () => (await import("../undo/recent-actions-dialog.tsx")).RecentActionsDialog,
);
const UndoQuestion = lazyPart(async () => (await import("../undo/undo-question.tsx")).UndoQuestion);
const ShortcutSheet = lazyPart(async () => (await import("./shortcut-sheet.tsx")).ShortcutSheet);

type Shown = "palette" | "sheet" | "actions";

/** Letters after `g` that are not for record types. */
const reserved = ["h", "q", "m", "w"];

export const AppCommands = memo(function AppCommands() {
  const { t } = useTranslation();
  const router = useRouter();
  const { identity } = useSession();
  const { data: navigation = [] } = useQuery(navigationQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [open, setOpen] = useState<Shown>();
  // Once fetched they stay, so that closing is drawn to its end.
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const show = (what: Shown) => () => {
    if (what === "palette") catchTyping(t("commands.type_ahead"));
    setWanted(new Set([...wanted, what]));
    setOpen(what);
  };
  const go = (href: string) => () => void router.navigate({ href });
  const entries = shownModules(navigation)
    .flatMap((module) => module.entries)
    .filter(({ section }) => section !== null);
  const letters = assignLetters(entries, reserved);
  const dark = colorScheme === "dark";
  useRecentActions();
  const undo = nextUndo();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      hostUndo({
        refresh: ({ key }) => void forgetRecords(queryClient, key),
        undoJob: async (key, jobId) =>
          (await import("../../screens/jobs/watch-job.tsx")).undo(queryClient, t, key, jobId),
      }),
    [queryClient, t],
  );
  const askedUndo = useAskedUndo();
  const wasAsked = useRef(false);
  wasAsked.current ||= askedUndo !== undefined;
  // A list offers its own new record, with a key.
  const here = useRouterState({ select: (state) => state.location.pathname });
  useCommandKeys();
  useReturnFocus(open === "sheet" || open === "actions" || askedUndo !== undefined);
  useCommands([
    { id: "home", label: t("shell.home"), group: "go", keys: "g h", icon: IconHome, run: go("/") },
    {
      id: "search",
      label: t("commands.search_page"),
      group: "go",
      keys: "g q",
      icon: IconSearch,
      opensInput: true,
      run: go("/core/search/index"),
    },
    {
      id: "work",
      label: t("work.title"),
      group: "go",
      keys: "g w",
      icon: IconChecklist,
      run: go("/core/workflows/my_work"),
    },
    { id: "account", label: t("shell.account"), group: "go", keys: "g m", icon: IconUserCircle, run: go("/account") },
    ...(identity?.user?.is_administrator === "1"
      ? [
          {
            id: "administration",
            label: t("shell.administration"),
            group: "go",
            icon: IconSettings,
            run: go("/administration"),
          } satisfies Command,
          {
            id: "record types",
            label: t("shell.record_types"),
            group: "go",
            icon: IconTable,
            run: go("/administration?part=record_types"),
          } satisfies Command,
        ]
      : []),
    ...entries.map(({ key, label, icon }): Command => {
      const letter = letters.get(key);
      return {
        id: `go ${key}`,
        label,
        group: "go",
        keys: letter && `g ${letter}`,
        iconName: icon ?? "",
        run: go(`/${key}/index`),
      };
    }),
    ...entries
      .filter(
        ({ key, section, operations }) => section === "work" && operations.includes("add") && here !== `/${key}/index`,
      )
      .map(
        ({ key, singular }): Command => ({
          id: `add ${key}`,
          label: t("list.add", { label: singular }),
          group: "app",
          icon: IconPlus,
          opensInput: true,
          run: () => askQuickAdd({ recordTypeKey: key }),
        }),
      ),
    ...(undo === undefined
      ? []
      : [
          {
            id: "undo",
            label: t("commands.undo", { done: titleOf(undo) }),
            group: "app",
            keys: "mod+Z",
            icon: IconArrowBackUp,
            run: () => {
              // Since this was drawn an hour may have passed, or another one been undone.
              const now = nextUndo();
              if (now) void undoNoted(now.id);
            },
          } satisfies Command,
        ]),
    {
      id: "recent actions",
      label: t("undo.title"),
      group: "app",
      icon: IconHistory,
      run: show("actions"),
    },
    {
      id: "palette",
      label: t("commands.palette"),
      group: "app",
      keys: "mod+K",
      icon: IconTerminal2,
      run: show("palette"),
    },
    { id: "sheet", label: t("commands.sheet"), group: "app", keys: "?", icon: IconKeyboard, run: show("sheet") },
    {
      id: "theme",
      label: t(dark ? "commands.to_light" : "commands.to_dark"),
      group: "app",
      icon: IconMoon,
      run: () => setColorScheme(dark ? "light" : "dark"),
    },
    { id: "leave", label: t("shell.log_out"), group: "app", icon: IconLogout, run: () => void session.leave() },
  ]);
  const close = (): void => setOpen(undefined);
  return (
    <>
      <UnstyledButton
        className={classes.searchButton ?? ""}
        onClick={show("palette")}
        aria-label={t("commands.palette")}
      >
        <IconSearch size={15} stroke={1.8} aria-hidden="true" />
        <span>{t("commands.button")}</span>
        <span aria-hidden="true">
          <KeyCaps keys="mod+K" />
        </span>
      </UnstyledButton>
      {wanted.has("palette") && <Palette opened={open === "palette"} onClose={close} />}
      {wanted.has("actions") && <RecentActionsDialog opened={open === "actions"} close={close} />}
      {wasAsked.current && <UndoQuestion action={askedUndo} />}
      {wanted.has("sheet") && <ShortcutSheet opened={open === "sheet"} close={close} />}
    </>
  );
});
