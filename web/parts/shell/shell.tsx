// The frame around every screen: navigation at the side (a drawer on phones), where-am-I and me at the top.
import "@mantine/notifications/styles.layer.css";
import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { IconLayoutSidebar, IconMenu2 } from "@tabler/icons-react";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { useSession } from "../../session/use-session.ts";
import { withTexts } from "../../texts/languages.ts";
import { AppCommands } from "../commands/app-commands.tsx";
import { LiveScreen } from "../live/live-screen.tsx";
import { lazyPart } from "../loading/lazy-part.tsx";
import { closeQuickAdd, useQuickAdd } from "../quick-add.ts";
import { useShownOnce } from "../shown-once.ts";
// Not fetched when it is needed: what it shows can't be shown again.
import { ShownOnceDialog } from "../shown-once-dialog.tsx";
import { Bell } from "./bell.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { Navigation } from "./navigation.tsx";
import { OfflineNote } from "./offline-note.tsx";
import { OrganizationLogo } from "./organization-logo.tsx";
import classes from "./shell.module.css";
import { UserMenu } from "./user-menu.tsx";

const LoginAgain = lazyPart(async () => (await import("./login-again.tsx")).LoginAgain);

const QuickAddHost = lazyPart(
  async () => (await withFieldParts(() => import("../../screens/record/quick-add/quick-add-host.tsx"))).QuickAddHost,
  { hasInput: true, close: closeQuickAdd },
);

const LicenseGate = lazyPart(async () => (await withTexts("people", () => import("../license-gate.tsx"))).LicenseGate);

export function Shell() {
  const { t } = useTranslation();
  const { identity, asleep = false, licenseRequired = false } = useSession();
  const phone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const [drawer, { open, close }] = useDisclosure(false);
  const [folded, setFolded] = useLocalStorage({
    key: "dossier.navigation.folded",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const once = useShownOnce();
  const quickAdd = useQuickAdd();
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(pathname);
  const fills = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.fills ?? false });
  const isWide = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.isWide ?? false });

  // A new page takes the focus, so that the keyboard and a screen reader go on from its start.
  useEffect(() => {
    if (before.current !== undefined && before.current !== pathname) {
      close();
      // Unless an input of the page has it already: what is typed goes there.
      const isTyping = main.current?.querySelector("input:focus, textarea:focus") != null;
      if (!isTyping) main.current?.focus({ preventScroll: true });
    }
    before.current = pathname;
  }, [pathname, close]);

  const toggleWords = t(phone ? "shell.open_navigation" : folded ? "shell.expand" : "shell.collapse");
  return (
    <div className={classes.shell} data-folded={folded || undefined}>
      <a href="#content" className={classes.skip}>
        {t("shell.skip")}
      </a>
      {phone ? (
        <Drawer.Root opened={drawer} onClose={close} size={288} padding={0}>
          <Drawer.Overlay backgroundOpacity={0.35} />
          <Drawer.Content aria-label={t("shell.navigation")} className={classes.drawer ?? ""}>
            <Navigation onClose={close} />
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <div className={classes.side}>
          <Navigation folded={folded} />
        </div>
      )}
      <div className={classes.body}>
        <header className={classes.header}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={toggleWords}
            title={toggleWords}
            aria-expanded={phone ? drawer : !folded}
            onClick={() => (phone ? open() : setFolded(!folded))}
          >
            {phone ? <IconMenu2 size={18} stroke={1.6} /> : <IconLayoutSidebar size={18} stroke={1.6} />}
          </ActionIcon>
          <Breadcrumb />
          <AppCommands />
          <span className={classes.organization}>
            <OrganizationLogo />
            <span>{identity?.organization}</span>
          </span>
          <Bell />
          <UserMenu />
        </header>
        <OfflineNote />
        <main
          id="content"
          ref={main}
          tabIndex={-1}
          className={classes.main}
          data-fills={fills || undefined}
          data-wide={isWide || undefined}
        >
          <Outlet />
        </main>
      </div>
      {!asleep && <LiveScreen />}
      {asleep && <LoginAgain />}
      {licenseRequired && !asleep && <LicenseGate organizationId={identity?.organizationId} />}
      {once && <ShownOnceDialog once={once} />}
      {quickAdd && <QuickAddHost asked={quickAdd} />}
      {/* Over dialogs, under the lists and menus that are opened in them: a toast does not lie over what is being chosen. */}
      <Notifications position="bottom-center" limit={3} zIndex={250} />
    </div>
  );
}
