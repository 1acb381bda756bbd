// The indexes that were added to a record type, with how far they are and the way to remove them. Not there without any, nor
// for who does not design record types.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AddedIndex } from "../../../client/design/indexes.ts";
import { Section } from "../../parts/layout/section.tsx";
import { Tag } from "../../parts/layout/tag.tsx";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { indexesQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./design.module.css";

const LOOK_MS = 2_000;

const isMoving = ({ state }: AddedIndex): boolean => state === "building" || state === "removing";

export function IndexesPart({ recordTypeKey }: { readonly recordTypeKey: string }) {
  const { t } = useTranslation();
  const { data = [] } = useQuery({
    ...indexesQuery(recordTypeKey),
    refetchInterval: ({ state: { data: known } }) => (known?.some(isMoving) ? LOOK_MS : false),
  });
  if (data.length === 0) return null;
  return (
    <Section title={t("design.indexes")} lead={t("design.indexes_lead")}>
      <ul className={classes.list}>
        {data.map((index) => (
          <IndexLine key={index.field} recordTypeKey={recordTypeKey} index={index} />
        ))}
      </ul>
    </Section>
  );
}

function IndexLine({ recordTypeKey, index }: { readonly recordTypeKey: string; readonly index: AddedIndex }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.design.removeIndex(recordTypeKey, index.field),
    onSuccess: ({ message }) => {
      showDone(message.join(". "));
      return queryClient.invalidateQueries({ queryKey: indexesQuery(recordTypeKey).queryKey });
    },
    onError: (error) => showWarning(error.message),
  });
  const tone = { ready: "good", failed: "bad", building: "word", removing: "word" } as const;
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <span>{index.label}</span>
        <Tag tone={tone[index.state]}>
          {t(`design.index_states.${index.state}`, { percent: index.progress ?? 0, reason: index.failure ?? "" })}
        </Tag>
        {index.automatic === 1 && <Tag tone="word">{t("design.index_automatic")}</Tag>}
        {index.state !== "removing" && (
          <Button
            ms="auto"
            size="compact-xs"
            variant="default"
            loading={remove.isPending}
            aria-label={t("design.index_remove_name", { name: index.label })}
            onClick={() => remove.mutate()}
          >
            {t("design.index_remove")}
          </Button>
        )}
      </div>
    </li>
  );
}
