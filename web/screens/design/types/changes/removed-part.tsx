// What was removed in the last 30 days, fields of a record type or whole ones: brought back with everything that was in it, or deleted for
// good. Not there while there is nothing.
import { Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RemovedDesign } from "../../../../../client/design/removed.ts";
import { ConfirmDialog } from "../../../../parts/controls/confirm-dialog.tsx";
import { Section } from "../../../../parts/layout/section.tsx";
import { Moment } from "../../../../parts/moment.tsx";
import { showDone, showWarning } from "../../../../parts/toasts.tsx";
import { useWrite } from "../../../../parts/use-write.ts";
import { client } from "../../../../session/session.ts";
import { removedQuery } from "../../design-queries.ts";
import classes from "./changes.module.css";

interface RemovedPartProps {
  /** Left out: record types. */
  readonly recordTypeKey?: string;
  /** Something is not saved yet: bringing a field back would change what it was made on. */
  readonly isDirty?: boolean;
}

export function RemovedPart({ recordTypeKey, isDirty = false }: RemovedPartProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(removedQuery(recordTypeKey));
  if (data.length === 0) return null;
  const kind = recordTypeKey === undefined ? "types" : "fields";
  return (
    <div className={classes.bin} data-bin>
      <Section title={t(`design.removed_${kind}`)} lead={t(isDirty ? "design.removed_dirty" : "design.removed_lead")}>
        <ul className={classes.fields} aria-label={t(`design.removed_${kind}`)}>
          {data.map((one) => (
            <RemovedLine key={one.id} one={one} isDirty={isDirty} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function RemovedLine({ one, isDirty }: { readonly one: RemovedDesign; readonly isDirty: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const done = async (words: string): Promise<void> => {
    showDone(words);
    setAsking(false);
    await queryClient.invalidateQueries();
    focusNext();
  };
  const restore = useWrite({
    mutationFn: () => client.design.restoreRemoved(one.id),
    onSuccess: ({ message }) => done(message.join(" ")),
    onError: (error) => showWarning(error.message),
  });
  const purge = useWrite({
    mutationFn: () => client.design.purgeRemoved(one.id),
    onSuccess: ({ message }) => done(message.join(" ")),
  });
  const kind = one.field === null ? "records" : "values";
  return (
    <li>
      <div className={classes.removed}>
        <span>
          <span dir="auto">{one.label}</span>
          <small>
            {t(`design.removed_${kind}`, { count: one.values })} · {t("design.removed_until")}{" "}
            <Moment text={one.expires} none="" />
          </small>
        </span>
        <Group gap={6}>
          <Button
            size="compact-xs"
            variant="default"
            disabled={isDirty}
            loading={restore.isPending}
            aria-label={t("design.removed_restore_name", { name: one.label })}
            onClick={() => restore.mutate()}
          >
            {t("design.removed_restore")}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            aria-label={t("design.removed_purge_name", { name: one.label })}
            onClick={() => setAsking(true)}
          >
            {t("design.removed_purge")}
          </Button>
        </Group>
      </div>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={t("design.removed_purge_name", { name: one.label })}
        lead={t("design.removed_purge_lead")}
        action={t("design.removed_purge")}
        onConfirm={() => purge.mutate()}
        change={purge}
      />
    </li>
  );
}

/** What was pressed goes with its line: the focus moves on to the next one, else to the heading of the page. */
function focusNext(): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const next = document.querySelector<HTMLElement>("[data-bin] button") ?? document.querySelector("h1");
    if (next?.tagName === "H1") next.tabIndex = -1;
    next?.focus();
  });
}
