// What a change of access would mean, told while it is still a draft: how many records come into sight or go out of it, for whom.
import { Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AccessDraft, Consequence, Effect } from "../../../client/people/consequences.ts";
import { useFormats } from "../../fields/formats.ts";
import { client } from "../../session/session.ts";
import { Notice } from "../layout/notice.tsx";
import classes from "./consequences.module.css";

/** While somebody types, the service is not asked for every letter. */
const AFTER_MS = 400;

interface ConsequencesProps {
  readonly draft: AccessDraft;
  /** Something is still to be typed: nothing is asked before that. */
  readonly isIncomplete?: boolean;
}

export function Consequences({ draft, isIncomplete = false }: ConsequencesProps) {
  const { t } = useTranslation();
  const typed = JSON.stringify(draft);
  const [text] = useDebouncedValue(typed, AFTER_MS);
  const query = useQuery({
    queryKey: ["consequences", text],
    queryFn: ({ signal }) => client.administration.foretellAccess(JSON.parse(text) as AccessDraft, signal),
    // What was typed before it was complete is not asked about either.
    enabled: !isIncomplete && text === typed,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
  const told = (query.data ?? []).filter(({ visible, invisible }) => isTold(visible) || isTold(invisible));
  return (
    <section className={classes.box} aria-label={t("effects.title")} aria-busy={query.isFetching}>
      <h3 className={classes.title}>{t("effects.title")}</h3>
      {isIncomplete ? (
        <p className={classes.line}>{t("effects.incomplete")}</p>
      ) : query.isPending ? (
        <Skeleton h={20} radius="sm" />
      ) : query.error ? (
        <Notice tone="bad">{query.error.message}</Notice>
      ) : told.length === 0 ? (
        <p className={classes.line}>{t("effects.none")}</p>
      ) : (
        <ul className={classes.list} data-stale={query.isFetching || undefined}>
          {told.flatMap((one) => [
            <Line key={`${one.record_type} +`} which="visible" of={one} />,
            <Line key={`${one.record_type} -`} which="invisible" of={one} />,
          ])}
        </ul>
      )}
    </section>
  );
}

const isTold = ({ records, at_most: most = 0 }: Effect): boolean => records > 0 || most > 0;

function Line({ of, which }: { readonly of: Consequence; readonly which: "visible" | "invisible" }) {
  const { t, i18n } = useTranslation();
  const number = useFormats();
  const effect = of[which];
  if (!isTold(effect)) return null;
  const list = new Intl.ListFormat(i18n.language);
  if (effect.records === 0) {
    const count = number.count(effect.at_most ?? 0);
    return <li className={classes.line}>{t(`effects.few_${which}`, { type: of.label, count })}</li>;
  }
  const amount = t(of.about === 1 ? "effects.about" : "effects.exactly", {
    count: effect.records,
    number: number.count(effect.records),
  });
  const rest = effect.people - effect.names.length;
  const names = effect.names.map(({ name, records }) =>
    effect.people > 1 ? t("effects.person", { name, number: number.count(records) }) : name,
  );
  const more = rest > 0 ? [t("effects.more", { count: rest, number: number.count(rest) })] : [];
  return (
    <li className={classes.line} data-which={which}>
      <strong>{of.label}:</strong>{" "}
      {t(`effects.${which}`, { amount, count: effect.people, people: number.count(effect.people) })}
      <span className={classes.detail}>{list.format([...names, ...more])}</span>
      {effect.examples.length > 0 && (
        <span className={classes.detail}>
          {t("effects.examples", { names: list.format(effect.examples.map(({ name }) => name)) })}
        </span>
      )}
    </li>
  );
}
