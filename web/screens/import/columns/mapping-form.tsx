// Names a saved mapping and says who can use it: a new one from what is chosen now, or one that is there.
import { Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Principal, RecordShare } from "../../../../client/records/access.ts";
import { MAPPINGS, type SavedMapping } from "../../../../client/records/import-mappings.ts";
import type { ImportSettings } from "../../../../client/records/imports.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { importMappingsQuery, mappingSharesQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { ShareWith } from "../../list/views/share-with.tsx";

interface MappingFormProps {
  readonly recordTypeKey: string;
  /** Undefined for a new one. */
  readonly mapping: SavedMapping | undefined;
  readonly name: string;
  /** What a new one holds. */
  readonly settings: ImportSettings;
  readonly close: () => void;
}

export function MappingForm(props: MappingFormProps) {
  const { mapping } = props;
  const shares = useQuery({ ...mappingSharesQuery(mapping?.id ?? ""), enabled: mapping !== undefined });
  if (mapping === undefined) return <Form {...props} shared={[]} />;
  return (
    <Loaded query={shares} skeleton={null}>
      {(shared) => <Form key={mapping.id} {...props} shared={shared} />}
    </Loaded>
  );
}

const audiences = ["mine", "chosen", "all"] as const;
type Audience = (typeof audiences)[number];

function Form({
  recordTypeKey,
  mapping,
  name: named,
  settings,
  shared,
  close,
}: MappingFormProps & { readonly shared: readonly RecordShare[] }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState(named);
  const [audience, setAudience] = useState<Audience>(() =>
    mapping && !mapping.isPersonal ? "all" : shared.length > 0 ? "chosen" : "mine",
  );
  const [chosen, setChosen] = useState<readonly Principal[]>(shared);
  const save = useWrite({
    mutationFn: async () => {
      const changes = { name: name.trim(), is_personal: audience === "all" ? ("0" as const) : ("1" as const) };
      const { id } = mapping
        ? await client.importMappings.editMapping(mapping, changes)
        : await client.importMappings.addMapping(recordTypeKey, { ...changes, settings });
      const wanted = audience === "chosen" ? chosen : [];
      const isIn = (list: readonly Principal[], one: Principal) =>
        list.some(({ principal_id }) => principal_id === one.principal_id);
      for (const each of wanted.filter((one) => !isIn(shared, one)))
        await client.access.shareRecord(MAPPINGS, id, { principal_id: each.principal_id, rights: "read", until: null });
      for (const each of shared.filter((one) => !isIn(wanted, one)))
        await client.access.unshareRecord(MAPPINGS, id, each.id);
    },
    onSuccess: () => {
      showDone(t("imports.saved.done"));
      close();
    },
    // Some of it may be saved where a later call was refused.
    onSettled: () => queryClient.invalidateQueries({ queryKey: importMappingsQuery(recordTypeKey).queryKey }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save.mutate();
      }}
    >
      <Stack gap="md">
        {save.error && <Notice tone="bad">{reasonsOf(save.error).join(" ")}</Notice>}
        <TextInput
          label={t("imports.saved.name")}
          value={name}
          required
          maxLength={100}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Radio.Group
          label={t("views.who")}
          value={audience}
          onChange={(next) => setAudience(audiences.find((one) => one === next) ?? "mine")}
        >
          <Stack gap={8} mt={6}>
            {audiences.map((one) => (
              <Radio key={one} value={one} label={t(`views.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {audience === "chosen" && <ShareWith chosen={chosen} onChange={setChosen} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
            {t("imports.saved.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
