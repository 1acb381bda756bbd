// The way from where an administrator is to the designers: items of a menu that lead to the fields, the forms and the navigation of
// a record type. Nobody else has them.
import { Menu } from "@mantine/core";
import { IconAdjustments, IconForms, IconLayoutSidebar } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../session/use-session.ts";

interface CustomizeItemsProps {
  readonly recordTypeKey: string;
  /** What one is looking at: a list has its place in the navigation, a record its form. */
  readonly of: "list" | "record";
}

export function CustomizeItems({ recordTypeKey, of }: CustomizeItemsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { identity } = useSession();
  if (identity?.user?.is_administrator !== "1") return null;
  const go = (to: string) => () => void navigate({ to });
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconAdjustments size={16} stroke={1.6} />}
        onClick={go(`/metadata/record_types/view?key=${encodeURIComponent(recordTypeKey)}`)}
      >
        {t("customize.fields")}
      </Menu.Item>
      <Menu.Item leftSection={<IconForms size={16} stroke={1.6} />} onClick={go(`/${recordTypeKey}/about?tab=design`)}>
        {t("customize.form")}
      </Menu.Item>
      {of === "list" && (
        <Menu.Item
          leftSection={<IconLayoutSidebar size={16} stroke={1.6} />}
          onClick={go("/administration?part=navigation")}
        >
          {t("customize.navigation")}
        </Menu.Item>
      )}
    </>
  );
}
