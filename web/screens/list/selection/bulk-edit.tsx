// Changes fields of many records: pick the fields, set or empty them. The service says what cannot be, in its own words.
import { ActionIcon, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { WireValue } from "../../../../client/records/records.ts";
import { reasonsOf, WireFailure } from "../../../../client/transport/wire-failure.ts";
import { RecordValuesContext, useRecordValues } from "../../../fields/files/record-values.ts";
import { useFormats } from "../../../fields/formats.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { client } from "../../../session/session.ts";
import { useBulk } from "../../jobs/use-bulk.tsx";
import type { BulkDialogProps } from "./bulk-delete.tsx";
import classes from "./selection.module.css";

interface Change {
  readonly field: SchemaField;
  readonly value: WireValue;
  readonly text: string | null;
}

interface BulkEditProps extends BulkDialogProps {
  readonly schema: RecordTypeSchema;
}

/** What can be set at all: the rest is the service's own, or needs the record's page. */
const editable = ({ fields }: RecordTypeSchema): readonly SchemaField[] =>
  fields.filter(({ system, permission, type }) => !system && permission === 2 && fieldTypes[type].Input !== undefined);

export function BulkEdit({ recordTypeKey, schema, picked, count, opened, close, onDone }: BulkEditProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const values = Object.fromEntries(changes.map(({ field, value }) => [field.name, value]));
  // What all of them will have limits what can be chosen; what each has of its own is for the service to judge.
  const known = useRecordValues((name) => values[name]);
  const done = (): void => {
    setChanges([]);
    onDone();
  };
  const save = useBulk(recordTypeKey, () => client.bulk.editSelected(recordTypeKey, picked, values), done);
  const alias = recordTypeKey.split("/")[1] ?? "";
  const byField = save.error instanceof WireFailure ? save.error.byField : {};
  const others = save.error && Object.keys(byField).length === 0 ? reasonsOf(save.error) : [];
  const left = editable(schema).filter((field) => !changes.some((change) => change.field === field));
  const words = { count, replace: { count: formats.count(count) } };
  const set = (changed: Change): void =>
    setChanges(changes.map((change) => (change.field === changed.field ? changed : change)));
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t("bulk.edit_title", words)}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={save.reset}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (changes.length > 0) save.mutate();
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("bulk.edit_lead")}
          </Text>
          {changes.length > 0 && (
            <RecordValuesContext value={known}>
              <div className={classes.fields}>
                {changes.map((change) => (
                  <ChangedField
                    key={change.field.name}
                    change={change}
                    error={byField[`${alias}.${change.field.name}`]?.join(" ")}
                    onChange={set}
                    onRemove={() => setChanges(changes.filter((one) => one !== change))}
                  />
                ))}
              </div>
            </RecordValuesContext>
          )}
          <Select
            key={changes.length}
            label={t("bulk.add_field")}
            placeholder={t("bulk.pick_field")}
            data={left.map(({ name, label }) => ({ value: name, label }))}
            value={null}
            searchable
            nothingFoundMessage={t("bulk.no_field")}
            data-autofocus={changes.length === 0 || undefined}
            onChange={(name) => {
              const field = left.find((one) => one.name === name);
              // A box that nobody ticked says no.
              if (field)
                setChanges([...changes, { field, value: fieldTypes[field.type].untouched ?? null, text: null }]);
            }}
          />
          {others.length > 0 && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {others.join(" ")}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={changes.length === 0}>
              {t("bulk.apply", words)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ChangedFieldProps {
  readonly change: Change;
  readonly error: string | undefined;
  readonly onChange: (change: Change) => void;
  readonly onRemove: () => void;
}

function ChangedField({ change, error, onChange, onRemove }: ChangedFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const { field, value, text } = change;
  const Input = fieldTypes[field.type].Input;
  // Whoever picked the field goes on with its value.
  useEffect(() => document.getElementById(id)?.focus(), [id]);
  if (Input === undefined) return null;
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{field.label}</label>
      <Input
        element={{ ...elementOf(field), not_empty: "0" }}
        id={id}
        value={value}
        text={text}
        error={error}
        describedBy={value === null ? `${id}-empty` : undefined}
        onChange={(next, called) => onChange({ field, value: next, text: called ?? null })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t("bulk.remove_field", { label: field.label })}
        title={t("bulk.remove_field", { label: field.label })}
        onClick={onRemove}
      >
        <IconX size={15} stroke={1.7} />
      </ActionIcon>
      {value === null && (
        <span className={classes.hint} id={`${id}-empty`}>
          {t("bulk.will_be_empty")}
        </span>
      )}
    </div>
  );
}
