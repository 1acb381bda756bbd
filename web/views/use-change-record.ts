// Changes a record from within a picture: shown at once, taken back if the service refuses, with Undo in the toast. One
// change of a record goes after the other, each on what the one before it left, whether the screen knows of that yet or not.
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { revisionOf } from "../../client/records/conflict.ts";
import type { WireRecord } from "../../client/records/records.ts";
import { showUndo } from "../parts/toasts.tsx";
import { valuesOf } from "../parts/undo/put-back.ts";
import { forgetRecords, type IsElsewhere } from "../queries.ts";
import { client } from "../session/session.ts";

export interface ChartChange {
  readonly id: string;
  /** The one that the change is made on. */
  readonly revision: string | undefined;
  readonly values: Readonly<Record<string, string | null>>;
  /** What to go back to. */
  readonly before: Readonly<Record<string, string | null>>;
  /** What happened, in a sentence. */
  readonly said: string;
  /** What is on the screen and shows the record neither before nor after. */
  readonly isElsewhere?: IsElsewhere;
  /** Shows it before it is saved; gives the way back. */
  show(): () => void;
  /** Where a refusal is said; else by a toast. */
  refuse?(title: string, reason: string): void;
}

export function useChangeRecord(recordTypeKey: string, alias: string): (change: ChartChange) => Promise<void> {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  /** What became of revisions by changes from here, by record and revision. */
  const followers = useRef(new Map<string, string>());
  /** The last change of each record that is under way. */
  const underWay = useRef(new Map<string, Promise<unknown>>());
  const newest = (id: string, revision: string | undefined): string | undefined => {
    const next = followers.current.get(`${id} ${revision}`);
    return next === undefined ? revision : newest(id, next);
  };
  const save = async ({ id, revision, values }: ChartChange): Promise<WireRecord> => {
    const on = newest(id, revision);
    const saved = await client.records.changeRecord(recordTypeKey, { alias, id, revision: on, values });
    const stored = saved.data[saved.alias] ?? {};
    const now = revisionOf(stored);
    if (now !== undefined && now !== on) followers.current.set(`${id} ${on}`, now);
    return stored;
  };
  const send = async (change: ChartChange): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: ["list", recordTypeKey] });
    const { id, values } = change;
    const back = change.show();
    const saving = Promise.resolve(underWay.current.get(id))
      .catch(() => undefined)
      .then(() => save(change));
    underWay.current.set(id, saving);
    try {
      const stored = await saving;
      const place = { kind: "edit", key: recordTypeKey, alias, id, revision: revisionOf(stored) } as const;
      showUndo(t, change.said, { ...place, values: change.before, wrote: valuesOf(stored, Object.keys(values)) });
    } catch (error) {
      back();
      const message = error instanceof Error ? error.message : String(error);
      if (change.refuse) change.refuse(t("charts.not_changed"), message);
      else notifications.show({ color: "red", title: t("charts.not_changed"), message });
    }
    // What is shown of the next one stays.
    if (underWay.current.get(id) !== saving) return;
    underWay.current.delete(id);
    await forgetRecords(queryClient, recordTypeKey, change.isElsewhere);
  };
  return send;
}
