// What can be done with the view of a list: keep its draft or drop it, save it as a new one, rename, share, delete.
import { Menu, UnstyledButton } from "@mantine/core";
import {
  IconAdjustments,
  IconArrowBackUp,
  IconChevronDown,
  IconDeviceFloppy,
  IconLink,
  IconPlus,
  IconRss,
  IconTrash,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ListChoice } from "../../../../client/lists/lists.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { copyText } from "../../../parts/controls/copy-text.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { useMaySubscribe } from "../../../parts/use-may-subscribe.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { savedViewsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { withTexts } from "../../../texts/languages.ts";
import classes from "../list-tools.module.css";
import { queryToSave } from "./query-to-save.ts";
import type { ViewDraft } from "./use-view-draft.ts";

const ViewDialog = lazyPart(async () => (await import("./view-dialog.tsx")).ViewDialog, { hasInput: true });
const SubscribeDialog = lazyPart(
  async () => (await withTexts("people", () => import("./subscribe-dialog.tsx"))).SubscribeDialog,
);
const UpdateDialog = lazyPart(async () => (await import("./view-dialog.tsx")).UpdateDialog);

interface ViewMenuProps {
  readonly recordTypeKey: string;
  readonly draft: ViewDraft;
  readonly choice: ListChoice;
  /** What is open over the page. */
  readonly dialog: ViewDialogName | undefined;
  readonly onDialog: (dialog: ViewDialogName | undefined) => void;
  /** Opens another view as it is saved; undefined is whichever the service chooses. */
  readonly onOpen: (id: string | undefined) => void;
}

export type ViewDialogName = "new" | "settings" | "update" | "subscribe";

const look = { size: 16, stroke: 1.6 } as const;

export function ViewMenu({ recordTypeKey, draft, choice, dialog, onDialog: setDialog, onOpen }: ViewMenuProps) {
  const { t } = useTranslation();
  const maySubscribe = useMaySubscribe();
  const queryClient = useQueryClient();
  const { saved } = draft;
  useReturnFocus(dialog !== undefined);
  const forget = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: savedViewsQuery(recordTypeKey).queryKey });
    // A list that was asked for while its view was away tells of another view: it must not open again.
    queryClient.removeQueries({ queryKey: ["list", recordTypeKey], type: "inactive" });
    await queryClient.invalidateQueries({ queryKey: ["list", recordTypeKey] });
  };
  const update = useWrite({
    mutationFn: async () => {
      if (saved) await client.views.editView(saved, { query: queryToSave(draft.query, choice) });
    },
    onSuccess: async () => {
      setDialog(undefined);
      const before = saved?.query;
      await forget();
      draft.reset();
      showUndo(t, t("views.updated", { name: saved?.name }), before && saved ? () => putBack(before) : undefined);
    },
    onError: (error) =>
      showWarning(error instanceof WireFailure && error.status === 409 ? t("views.changed_meanwhile") : error.message),
  });
  const putBack = async (query: NonNullable<typeof saved>["query"]): Promise<void> => {
    const views = await queryClient.fetchQuery({ ...savedViewsQuery(recordTypeKey), staleTime: 0 });
    const now = views.find(({ id }) => id === saved?.id);
    if (now) await client.views.editView(now, { query });
    await forget();
  };
  const remove = useWrite({
    mutationFn: async () => {
      if (saved) await client.views.deleteView(saved.id);
    },
    onSuccess: async () => {
      if (!saved) return;
      onOpen(undefined);
      await forget();
      showUndo(t, t("views.deleted", { name: saved.name }), async () => {
        await client.views.restoreView(saved.id);
        await forget();
        onOpen(saved.id);
      });
    },
    onError: (error) => showWarning(error.message),
  });
  // A view that others see is not changed by one click.
  const startUpdate = (): void => (saved?.isPersonal ? update.mutate() : setDialog("update"));
  return (
    <>
      <Menu position="bottom-start" width={236} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton
            className={classes.view ?? ""}
            data-changed={draft.isChanged || undefined}
            aria-label={t(draft.isChanged ? "views.menu_changed" : "views.menu")}
          >
            {draft.isChanged ? <span>{t("views.changed")}</span> : <IconAdjustments size={15} stroke={1.6} />}
            {draft.isChanged && <IconChevronDown size={13} stroke={2} aria-hidden="true" />}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {draft.isChanged && (
            <>
              {saved && (
                <Menu.Item
                  leftSection={<IconDeviceFloppy {...look} />}
                  disabled={!saved.mayEdit || update.isPending}
                  onClick={startUpdate}
                >
                  {t("views.update")}
                  {!saved.mayEdit && <small className={classes.why}>{t("views.not_yours")}</small>}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconPlus {...look} />} onClick={() => setDialog("new")}>
                {t("views.save_as")}
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowBackUp {...look} />} onClick={draft.reset}>
                {t("views.reset")}
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            leftSection={<IconLink {...look} />}
            onClick={() => void copyText(location.href).then(() => showUndo(t, t("views.copied"), undefined))}
          >
            {t("views.copy")}
          </Menu.Item>
          {saved && maySubscribe && (
            <Menu.Item leftSection={<IconRss {...look} />} onClick={() => setDialog("subscribe")}>
              {t("views.subscribe")}
            </Menu.Item>
          )}
          {!draft.isChanged && (
            <Menu.Item leftSection={<IconPlus {...look} />} onClick={() => setDialog("new")}>
              {t("views.save_as")}
            </Menu.Item>
          )}
          {saved?.mayEdit && (
            <Menu.Item leftSection={<IconAdjustments {...look} />} onClick={() => setDialog("settings")}>
              {t("views.settings")}
            </Menu.Item>
          )}
          {saved?.mayDelete && (
            <Menu.Item leftSection={<IconTrash {...look} />} onClick={() => remove.mutate()}>
              {t("views.delete")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {draft.isChanged && (
        <UnstyledButton className={classes.reset ?? ""} onClick={draft.reset}>
          {t("views.reset_short")}
        </UnstyledButton>
      )}
      {dialog === "subscribe" && saved && (
        <SubscribeDialog view={saved} isCalendar={saved.kind === "calendar"} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "update" && saved && (
        <UpdateDialog
          view={saved}
          isSaving={update.isPending}
          onUpdate={() => update.mutate()}
          onSaveAs={() => setDialog("new")}
          onClose={() => setDialog(undefined)}
        />
      )}
      {(dialog === "new" || (dialog === "settings" && saved)) && (
        <ViewDialog
          recordTypeKey={recordTypeKey}
          view={dialog === "settings" ? saved : undefined}
          like={saved}
          query={queryToSave(draft.query, choice)}
          onSaved={async (id) => {
            setDialog(undefined);
            await forget();
            if (dialog === "new") onOpen(id);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
