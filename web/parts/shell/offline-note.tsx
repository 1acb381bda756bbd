// A line under the header while the browser has no network.
import { useNetwork } from "@mantine/hooks";
import { IconWifiOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./offline-note.module.css";

export function OfflineNote() {
  const { t } = useTranslation();
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <div className={classes.note}>
          <IconWifiOff size={15} aria-hidden="true" />
          {t("shell.offline")}
        </div>
      )}
    </div>
  );
}
