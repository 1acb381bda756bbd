// Every shortcut that works here and now, in a dialog.
import { Modal, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./commands.module.css";
import { commandGroups, useAllCommands } from "./commands.ts";
import { KeyCaps } from "./key-caps.tsx";

/** What an open field listens to. */
const fieldKeys = [
  ["Enter", "field_save"],
  ["Escape", "field_cancel"],
] as const;

export function ShortcutSheet({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  const commands = useAllCommands().filter(({ keys }) => keys !== undefined);
  const own = commandGroups.map((group) => ({
    group,
    rows: commands
      .filter((command) => command.group === group)
      .map(({ id, label, keys = "", also }) => ({ id, label, keys: [keys, also].flatMap((one) => one ?? []) })),
  }));
  const inFields = fieldKeys.map(([keys, name]) => ({ id: name, label: t(`commands.${name}`), keys: [keys] }));
  const groups = [...own, { group: "field" as const, rows: inFields }];
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={t("commands.sheet")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <div className={classes.sheet}>
        {groups
          .filter(({ rows }) => rows.length > 0)
          .map(({ group, rows }) => (
            <section key={group} className={classes.group}>
              <Title order={3}>{t(`commands.group_${group}`)}</Title>
              <dl>
                {rows.map(({ id, label, keys }) => (
                  <div key={id}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((one) => (
                        <KeyCaps key={one} keys={one} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Modal>
  );
}
