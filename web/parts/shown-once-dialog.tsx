// Shows what the service says only once, wherever in the app it was asked for. Does not close by accident.
import { Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useReturnFocus } from "./controls/use-return-focus.ts";
import { CopyOnce } from "./copy-once.tsx";
import { forgetShownOnce, type ShownOnce } from "./shown-once.ts";

export function ShownOnceDialog({ once: { kind, value } }: { readonly once: ShownOnce }) {
  const { t } = useTranslation();
  useReturnFocus(true);
  const isKey = kind === "api_key";
  const isLink = kind !== "api_key" && kind !== "webhook_secret";
  return (
    <Modal
      key={value}
      opened
      onClose={forgetShownOnce}
      title={t(isKey ? "keys.made" : `once.${kind}`)}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <CopyOnce
        lead={t(isKey ? "keys.made_lead" : `once.${kind}_lead`)}
        label={t(isKey ? "keys.secret" : isLink ? "once.link" : "once.secret")}
        value={value}
        copy={t(isLink ? "once.copy_link" : "actions.copy")}
        close={forgetShownOnce}
      />
    </Modal>
  );
}
