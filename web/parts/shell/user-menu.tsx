// Me: account, theme, language, and the way out.
import { Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconHistory, IconLogout, IconProgress, IconSettings, IconUserCircle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { session } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { chooseLanguage, languages } from "../../texts/languages.ts";
import { useAllCommands } from "../commands/commands.ts";
import { Face } from "../layout/face.tsx";
import classes from "./user-menu.module.css";

const themes = ["light", "dark", "auto"] as const;

export const UserMenu = memo(function UserMenu() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const name = identity?.fullName || identity?.user?.user_name || "";
  return (
    <Menu position="bottom-end" width={232} shadow="md" offset={6} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.target ?? ""} aria-label={t("shell.user_menu", { name })}>
          <Face name={name} size={26} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Items name={name} />
      </Menu.Dropdown>
    </Menu>
  );
});

/** Apart from the menu: what can be done changes with every screen, and is looked up when the menu is open. */
function Items({ name }: { readonly name: string }) {
  const { t, i18n } = useTranslation();
  const { identity } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const history = useAllCommands().find(({ id }) => id === "recent actions");
  return (
    <>
      <div className={classes.who}>
        <Text fw={500} truncate>
          {name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {identity?.organization}
        </Text>
      </div>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconUserCircle size={16} stroke={1.6} />}
        onClick={() => void navigate({ to: "/account" })}
      >
        {t("shell.account")}
      </Menu.Item>
      {identity?.user?.is_administrator === "1" && (
        <Menu.Item
          leftSection={<IconSettings size={16} stroke={1.6} />}
          onClick={() => void navigate({ to: "/administration" })}
        >
          {t("shell.administration")}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconProgress size={16} stroke={1.6} />}
        onClick={() => void navigate({ to: "/core/jobs/index" })}
      >
        {t("jobs.title")}
      </Menu.Item>
      {history?.run && (
        <Menu.Item leftSection={<IconHistory size={16} stroke={1.6} />} onClick={history.run}>
          {t("undo.title")}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Label>{t("shell.theme")}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(value) => setColorScheme(themes.find((each) => each === value) ?? "auto")}
      >
        {themes.map((each) => (
          <Menu.RadioItem key={each} value={each}>
            {t(`shell.theme_${each}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Label>{t("shell.language")}</Menu.Label>
      <Menu.RadioGroup value={i18n.language} onChange={(code) => void chooseLanguage(code)}>
        {languages.map((language) => (
          <Menu.RadioItem key={language.code} value={language.code} lang={language.code}>
            {language.name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void session.leave()}>
        {t("shell.log_out")}
      </Menu.Item>
    </>
  );
}
