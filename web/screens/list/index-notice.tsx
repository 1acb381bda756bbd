// Says that a list is slow for want of an index, and whether one is built. Who may design has it built here, sees how far it is, and
// can undo their own.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ListNotice } from "../../../client/lists/lists.ts";
import { Notice } from "../../parts/layout/notice.tsx";
import { showUndo, showWarning } from "../../parts/toasts.tsx";
import { indexesQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { indexWatch } from "./index-watch.ts";
import classes from "./list-screen.module.css";

export function IndexNotice({ notice }: { readonly notice: ListNotice }) {
  const { controller, field, label } = notice;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const build = useMutation({
    mutationFn: () => client.design.buildIndex(controller, field),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: indexesQuery(controller).queryKey }),
    onError: (error) => showWarning(error.message),
  });
  const { isAwaited, progressEvery, listEvery } = indexWatch(notice, build.isSuccess);
  const isWatched = progressEvery !== false;
  const { data } = useQuery({
    ...indexesQuery(controller),
    enabled: isWatched,
    refetchInterval: progressEvery,
  });
  const index = isAwaited ? data?.find((one) => one.field === field) : undefined;
  const state = index?.state;
  // What somebody else asked for is not one's own to undo.
  const isMine = build.isSuccess;
  useEffect(() => {
    if (state !== "ready") return;
    const listAgain = () => queryClient.invalidateQueries({ queryKey: ["list", controller] });
    const undo = async () => {
      await client.design.removeIndex(controller, field);
      await listAgain();
    };
    showUndo(t, t("table.index_ready", { name: label }), isMine ? undo : undefined);
    void listAgain();
  }, [state, isMine, controller, field, label, queryClient, t]);
  useEffect(() => {
    if (listEvery === false) return;
    const listAgain = () => void queryClient.invalidateQueries({ queryKey: ["list", controller] });
    const timer = setInterval(listAgain, listEvery);
    return () => clearInterval(timer);
  }, [listEvery, controller, queryClient]);
  const words = () => {
    if (state === "failed") return ` ${t("table.index_failed", { reason: index?.failure ?? "" })}`;
    if (isWatched) return ` ${t("table.index_building", { percent: index?.progress ?? 0 })}`;
    if (isAwaited) return ` ${t("table.index_awaited")}`;
    if (notice.is_automatic === 1) return ` ${t("table.index_soon")} `;
    return notice.may_build === 1 ? " " : ` ${t("table.index_ask")}`;
  };
  return (
    <div className={classes.news}>
      <Notice tone="news">
        {`${notice.text}.`}
        {words()}
        {notice.may_build === 1 && (!isAwaited || state === "failed") && (
          <Button size="compact-xs" variant="default" loading={build.isPending} onClick={() => build.mutate()}>
            {t("table.index_build")}
          </Button>
        )}
      </Notice>
    </div>
  );
}
