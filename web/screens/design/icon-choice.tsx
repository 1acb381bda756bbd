// Which icon something has: a button that shows it, and all of them to choose from.
import { Input, Popover, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { iconNames } from "../../../contract/icons.ts";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import classes from "./design.module.css";

interface IconChoiceProps {
  readonly icon: string | undefined;
  readonly onChange: (icon: (typeof iconNames)[number]) => void;
}

export function IconChoice({ icon, onChange }: IconChoiceProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Input.Wrapper label={t("design.icon")} labelElement="div" description={t("design.icon_lead")}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus>
        <Popover.Target>
          <UnstyledButton
            className={classes.iconButton ?? ""}
            aria-label={t("design.icon_choose")}
            onClick={() => setOpened(!opened)}
          >
            <NamedIcon name={icon} size={18} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={8} className={classes.icons ?? ""} aria-label={t("design.icon")}>
          {iconNames.map((name) => (
            <UnstyledButton
              key={name}
              className={classes.iconButton ?? ""}
              aria-label={name}
              title={name}
              aria-pressed={icon === name}
              onClick={() => {
                onChange(name);
                setOpened(false);
              }}
            >
              <NamedIcon name={name} size={18} />
            </UnstyledButton>
          ))}
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  );
}
