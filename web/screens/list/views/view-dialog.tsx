// Names a view, sorts it into a category and says who sees it; and asks before a view of others is changed.
import { Button, Checkbox, Group, Modal, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import type { SavedView } from "../../../../client/lists/saved-views.ts";
import type { Principal } from "../../../../client/records/access.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { viewCategoriesQuery, viewSharesQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { ShareWith } from "./share-with.tsx";

const VIEWS = "core/listviews";
type Audience = "mine" | "chosen" | "all";

interface ViewDialogProps {
  readonly recordTypeKey: string;
  /** The view whose settings these are; undefined for a new one. */
  readonly view: SavedView | undefined;
  /** The one that a new view is made from. */
  readonly like: SavedView | undefined;
  readonly query: ListDraft;
  readonly onSaved: (id: string) => Promise<void>;
  readonly onClose: () => void;
}

export function ViewDialog(props: ViewDialogProps) {
  const { view } = props;
  const { t } = useTranslation();
  const shares = useQuery({ ...viewSharesQuery(view?.id ?? ""), enabled: view !== undefined });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t(view ? "views.settings" : "views.save_as")}
      size={460}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      {(view === undefined || !shares.isPending) && <ViewForm {...props} shared={shares.data ?? []} />}
    </Modal>
  );
}

interface ViewFormProps extends ViewDialogProps {
  /** With whom the view is shared now. */
  readonly shared: readonly (Principal & { readonly id: string })[];
}

function ViewForm({ recordTypeKey, view, like, query, shared, onSaved, onClose }: ViewFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(view?.name ?? "");
  const [category, setCategory] = useState(view?.categoryId ?? like?.categoryId ?? null);
  const [audience, setAudience] = useState<Audience>(() =>
    view && !view.isPersonal ? "all" : shared.length > 0 ? "chosen" : "mine",
  );
  const [chosen, setChosen] = useState<readonly Principal[]>(shared);
  const [opensFirst, setOpensFirst] = useState(view?.isDefault ?? false);
  const { data: categories = [] } = useQuery(viewCategoriesQuery(recordTypeKey));
  const save = useWrite({
    mutationFn: async () => {
      const changes = {
        name: name.trim(),
        category_id: category,
        is_personal: audience === "all" ? ("0" as const) : ("1" as const),
        is_default: opensFirst ? ("1" as const) : ("0" as const),
      };
      const { id } = view
        ? await client.views.editView(view, changes)
        : await client.views.addView(recordTypeKey, { ...changes, query });
      const wanted = audience === "chosen" ? chosen : [];
      for (const each of wanted) {
        if (shared.some((one) => one.principal_id === each.principal_id)) continue;
        await client.access.shareRecord(VIEWS, id, { principal_id: each.principal_id, rights: "read", until: null });
      }
      for (const each of shared) {
        if (wanted.some((one) => one.principal_id === each.principal_id)) continue;
        await client.access.unshareRecord(VIEWS, id, each.id);
      }
      return id;
    },
    onSuccess: onSaved,
  });
  const failure = save.error instanceof WireFailure ? save.error : undefined;
  const errorOf = (field: string): string | undefined => failure?.byField[`listviews.${field}`]?.join(" ");
  const isPlaced = failure !== undefined && ["name", "is_default", "category_id"].some((field) => errorOf(field));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t("views.name")}
          data-autofocus
          required
          maxLength={255}
          value={name}
          error={errorOf("name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {categories.length > 0 && (
          <Select
            label={t("views.category")}
            clearable
            clearButtonProps={{ "aria-label": t("actions.clear") }}
            data={categories.map(({ id, name: label }) => ({ value: id, label }))}
            value={category}
            error={errorOf("category_id")}
            onChange={setCategory}
          />
        )}
        <Radio.Group
          label={t("views.who")}
          value={audience}
          onChange={(next) => setAudience(next === "all" || next === "chosen" ? next : "mine")}
        >
          <Stack gap={8} mt={6}>
            <Radio value="mine" label={t("views.mine")} />
            <Radio value="chosen" label={t("views.chosen")} />
            <Radio value="all" label={t("views.all")} />
          </Stack>
        </Radio.Group>
        {audience === "chosen" && <ShareWith chosen={chosen} onChange={setChosen} />}
        <Checkbox
          label={t(audience === "all" ? "views.default_all" : "views.default_mine")}
          checked={opensFirst}
          error={errorOf("is_default")}
          onChange={(event) => setOpensFirst(event.currentTarget.checked)}
        />
        {save.isError && !isPlaced && <Notice tone="bad">{save.error.message}</Notice>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
            {t("views.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface UpdateDialogProps {
  readonly view: SavedView;
  readonly isSaving: boolean;
  readonly onUpdate: () => void;
  readonly onSaveAs: () => void;
  readonly onClose: () => void;
}

export function UpdateDialog({ view, isSaving, onUpdate, onSaveAs, onClose }: UpdateDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("views.update_title", { name: view.name })}
      size={440}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Text size="sm">{t("views.update_lead")}</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("actions.cancel")}
        </Button>
        <Button variant="default" onClick={onSaveAs}>
          {t("views.save_as")}
        </Button>
        <Button loading={isSaving} onClick={onUpdate}>
          {t("views.update_all")}
        </Button>
      </Group>
    </Modal>
  );
}
