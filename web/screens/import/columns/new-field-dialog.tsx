// Makes a column of the file a new field of the record type, at once: the import only fills it. For those who design.
import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundFile, NewField } from "../../../../client/records/imports.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { freeName, withOptions } from "../../../fields/design/option-rows.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";

interface NewFieldDialogProps {
  readonly recordTypeKey: string;
  readonly found: FoundFile;
  readonly column: string;
  readonly suggested: NewField;
  /** With its name, once everything on the page knows it. */
  readonly onMade: (name: string) => void;
  readonly close: () => void;
}

export function NewFieldDialog({ recordTypeKey, found, column, suggested, onMade, close }: NewFieldDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [label, setLabel] = useState(suggested.label);
  const [type, setType] = useState(suggested.type);
  useReturnFocus(true);
  const types = found.field_types.filter((id) => fieldTypes[id].picks === undefined || suggested.options.length > 0);
  const { picks, design } = fieldTypes[type];
  const make = useWrite({
    mutationFn: async () => {
      const { definition, revision } = await client.design.readDefinition(recordTypeKey);
      const name = freeName(
        suggested.name,
        definition.fields.map((field) => field.name),
      );
      const field = {
        name,
        label: label.trim(),
        type,
        ...(design.searched ? { searchable: true } : {}),
        ...(picks ? { settings: { options: withOptions([], suggested.options.join("\n")) } } : {}),
      };
      await client.design.saveDefinition({
        definition: { ...definition, fields: [...definition.fields, field] },
        revision,
      });
      await queryClient.invalidateQueries();
      return name;
    },
    onSuccess: (name) => {
      onMade(name);
      showDone(t("imports.new_field.done", { label: label.trim() }));
      close();
    },
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t("imports.new_field.title", { column })}
      size={420}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (label.trim() !== "") make.mutate();
        }}
      >
        <Stack gap="md">
          {make.error && <Notice tone="bad">{reasonsOf(make.error).join(" ")}</Notice>}
          <TextInput
            label={t("imports.new_field.label")}
            value={label}
            required
            maxLength={80}
            data-autofocus
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
          <Select
            label={t("imports.new_field.type")}
            data={types.map((value) => ({ value, label: t(`field_types.${value}`) }))}
            value={type}
            searchable
            allowDeselect={false}
            onChange={(value) => setType(types.find((one) => one === value) ?? type)}
            {...(picks
              ? { description: t("imports.new_field.options", { options: suggested.options.join(", ").slice(0, 200) }) }
              : {})}
          />
          <Text size="sm" c="dimmed">
            {t("imports.new_field.lead")}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={label.trim() === ""}>
              {t("imports.new_field.create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
