// Shows what a paste changes before anything is saved, saves it with progress and a way to stop, and says what could not
// be saved. The way back is in the toast.
import { Button, Group, Modal, Progress, Skeleton, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ManyEdited, RowEdit } from "../../../../client/records/many-edits.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { showUndo } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, jobsQuery } from "../../../queries.ts";
import type { Column } from "../columns/columns.ts";
import type { CarriedCell } from "../range/carried-cell.ts";
import type { Block } from "../range/cell-block.ts";
import { type RowsOf, rowsBetween } from "../range/range-rows.ts";
import classes from "./paste.module.css";
import { PasteFailures, PastePreview, PasteSummary } from "./paste-preview.tsx";
import { sourcesOf } from "./paste-sources.ts";
import { type PastedRow, preparePaste } from "./prepare-paste.ts";
import { useReader } from "./use-reader.ts";
import { editsOf, writePaste } from "./write-paste.ts";

export interface PasteRequest {
  readonly kind: "paste" | "clear";
  readonly rowsOf: RowsOf;
  readonly idColumn: string;
  readonly columns: readonly Column[];
  /** Of the rows that it is meant for. */
  readonly first: number;
  readonly block: Block<CarriedCell>;
  /** What goes past the list. */
  readonly rowsLeft: number;
  readonly columnsLeft: number;
  readonly mayBulk: boolean;
  /** Takes all of it to the import in place of this. */
  readonly importAll: (() => void) | undefined;
}

interface PasteDialogProps {
  readonly request: PasteRequest;
  readonly close: () => void;
}

/** Each look at it is a new one. */
let looks = 0;

export function PasteDialog({ request, close }: PasteDialogProps) {
  const { kind, rowsOf, idColumn, columns, first, block, mayBulk } = request;
  const { recordTypeKey } = rowsOf;
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const reader = useReader();
  const isPhone = useMediaQuery("(max-width: 767px)") ?? false;
  const [look, setLook] = useState(() => ++looks);
  /** Those that could not be saved, to look at again. */
  const [again, setAgain] = useState<ReadonlySet<string>>();
  const [outcome, setOutcome] = useState<ManyEdited>();
  const [done, setDone] = useState(0);
  const stop = useRef(new AbortController());
  useReturnFocus(true);
  const prepared = useQuery({
    queryKey: ["paste", look],
    queryFn: async (): Promise<readonly PastedRow[]> => {
      const rows = await rowsBetween(queryClient, rowsOf, first, first + block.length - 1);
      const pasted = await preparePaste(
        { idColumn, columns, rows, block },
        sourcesOf(queryClient, recordTypeKey),
        reader,
        t,
      );
      return again === undefined ? pasted : pasted.filter(({ id }) => again.has(id));
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isReady = prepared.isSuccess && outcome === undefined;
  const go = useRef<HTMLButtonElement>(null);
  // It is there only once everything is read.
  useEffect(() => {
    if (isReady) go.current?.focus();
  }, [isReady]);
  const rows = prepared.data ?? [];
  const edits = editsOf(rows);
  const words = (count: number) => ({ count, replace: { count: formats.count(count) } });

  const write = useWrite({
    mutationFn: (sent: readonly RowEdit[]) => {
      stop.current = new AbortController();
      setDone(0);
      return writePaste(recordTypeKey, sent, mayBulk, { onDone: setDone, signal: stop.current.signal });
    },
    onSuccess: (result) => {
      const forget = (): Promise<unknown> =>
        Promise.all([
          forgetRecords(queryClient, recordTypeKey),
          queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey }),
        ]);
      void forget();
      const { changed } = result;
      if (changed.length > 0) {
        showUndo(t, t("paste.done", words(changed.length)), async () => {
          await result.undo().finally(forget);
          return t("paste.undone");
        });
      }
      if (Object.keys(result.failed).length === 0) close();
      else setOutcome(result);
    },
  });

  const failed = Object.keys(outcome?.failed ?? {}).length;
  const title = outcome
    ? t("paste.failed_title", words(failed))
    : t(kind === "paste" ? "paste.title" : "paste.clear_title", words(again?.size ?? block.length));
  const lookAgain = (): void => {
    setAgain(new Set(Object.keys(outcome?.failed ?? {})));
    setOutcome(undefined);
    setLook(++looks);
  };
  return (
    <Modal
      opened
      onClose={() => {
        stop.current.abort();
        close();
      }}
      title={title}
      size="xl"
      fullScreen={isPhone}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        {outcome ? (
          <PasteFailures failed={outcome.failed} rows={rows} />
        ) : prepared.isError ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {prepared.error.message}
          </Text>
        ) : prepared.isPending ? (
          <div aria-busy="true">
            <span className="visually-hidden">{t("paste.preparing")}</span>
            {block.slice(0, 6).map((_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
              <Skeleton key={row} h={12} my={14} />
            ))}
          </div>
        ) : (
          <>
            <PasteSummary rows={rows} {...request} />
            <PastePreview rows={rows} columns={columns} />
          </>
        )}
        {write.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {reasonsOf(write.error).join(" ")}
          </Text>
        )}
        {write.isPending && edits.length > 1 && (
          <div className={classes.progress}>
            <Progress value={(100 * done) / edits.length} size="sm" aria-label={title} />
            <span>{t("paste.progress", { done: formats.count(done), total: formats.count(edits.length) })}</span>
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={write.isPending ? () => stop.current.abort() : close}>
            {t(write.isPending ? "paste.stop" : outcome || edits.length === 0 ? "actions.close" : "actions.cancel")}
          </Button>
          {outcome ? (
            <Button onClick={lookAgain}>{t("paste.try_again")}</Button>
          ) : (
            edits.length > 0 && (
              <Button ref={go} loading={write.isPending} onClick={() => write.mutate(edits)}>
                {t("paste.write", words(edits.length))}
              </Button>
            )
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
