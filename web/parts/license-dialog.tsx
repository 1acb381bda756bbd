// The license agreement to read, in a dialog; what can be done about it stands below the text. The text is HTML that an
// administrator wrote: it is cleaned before it is shown.
import { Group, Modal, ScrollArea, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import DOMPurify from "dompurify";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SignupOrigin } from "../../client/people/auth.ts";
import { anonymous } from "../session/session.ts";
import { Loaded } from "./layout/loaded.tsx";
import classes from "./license-dialog.module.css";

const tags =
  "h1 h2 h3 h4 h5 h6 p br hr ul ol li strong em b i u s small sub sup blockquote code pre table thead tbody tr th td a span div";

function LicenseText({ html }: { readonly html: string }) {
  const clean = useMemo(
    () => DOMPurify.sanitize(html, { ALLOWED_TAGS: tags.split(" "), ALLOWED_ATTR: ["href"] }),
    [html],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above, to tags that can only be read.
  return <div className={classes.text} dangerouslySetInnerHTML={{ __html: clean }} />;
}

/** Scrolls within itself, by keyboard too. */
export function LicenseFrame({ html, label }: { readonly html: string; readonly label: string }) {
  return (
    <ScrollArea.Autosize
      mah="55dvh"
      type="auto"
      className={classes.frame ?? ""}
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
    >
      <LicenseText html={html} />
    </ScrollArea.Autosize>
  );
}

interface LicenseDialogProps {
  readonly opened: boolean;
  /** Undefined where it cannot be put aside. */
  readonly close: (() => void) | undefined;
  readonly origin: SignupOrigin;
  readonly intro?: ReactNode;
  readonly actions: (version: string | null) => ReactNode;
}

export function LicenseDialog({ opened, close, origin, intro, actions }: LicenseDialogProps) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["license", origin],
    queryFn: ({ signal }) => anonymous.account.readLicense(origin, signal),
    enabled: opened,
  });
  return (
    <Modal
      opened={opened}
      onClose={() => close?.()}
      size="lg"
      title={query.data?.license_agreement_title || t("license.title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      withCloseButton={close !== undefined}
      closeOnClickOutside={close !== undefined}
      closeOnEscape={close !== undefined}
    >
      {intro}
      <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
        {(license) => (
          <>
            <LicenseFrame html={license.license_agreement} label={t("license.title")} />
            <Group justify="space-between" mt="md">
              <span className={classes.version}>
                {t("license.version", { version: license.license_agreement_version ?? "" })}
              </span>
              <Group gap="xs">{actions(license.license_agreement_version)}</Group>
            </Group>
          </>
        )}
      </Loaded>
    </Modal>
  );
}
