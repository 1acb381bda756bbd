// Which value a lookup shows: the references to follow, one after the other, then a field of the record that they lead to. The field has
// the type of what it shows.
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../../client/design/record-types.ts";
import type { ComputedDefinition } from "../../../../../contract/record-type.ts";
import { schemaQuery } from "../../../../queries.ts";
import { fieldPaths } from "../fault-place.ts";
import type { ComputedProps } from "./computed-props.ts";

const MOST_STEPS = 3;

export function LookupPart(props: ComputedProps<Extract<ComputedDefinition, { kind: "lookup" }>>) {
  const { field, computed, draft, error, onChange } = props;
  const { t } = useTranslation();
  const { through } = computed;
  const first = draft.fields.flatMap(({ name, label, settings }) =>
    typeof settings?.to === "string" && name !== "" ? [{ name, label: label ?? name, to: settings.to }] : [],
  );
  // One schema after the other is known: each says where the next reference leads.
  const start = first.find(({ name }) => name === through[0])?.to;
  const second = useFields(start);
  const afterSecond = toOf(second, through[1]);
  const third = useFields(afterSecond);
  const afterThird = toOf(third, through[2]);
  const last = useFields(afterThird);
  const levels = [undefined, second, third, last];
  const target = levels[through.length] ?? [];
  const shown = target.filter(({ looked_up_as: as }) => as != null);
  const follow = (index: number, via: string | null): void =>
    onChange({ computed: { ...computed, through: [...through.slice(0, index), ...(via ? [via] : [])], field: "" } });
  const missing = (value: string, place: string, label: "design.lookup_through" | "design.lookup_field") =>
    value === "" && error(`computed.${place}`) ? t("record.required", { label: t(label) }) : error(`computed.${place}`);
  const references = [first, referencesOf(second), referencesOf(third)];
  return (
    <>
      {Array.from({ length: Math.min(through.length + 1, MOST_STEPS) }, (_, index) => index)
        .filter((index) => index === 0 || (references[index]?.length ?? 0) > 0)
        .map((index) => (
          <Select
            key={index}
            label={t(index === 0 ? "design.lookup_through" : "design.lookup_further")}
            withAsterisk={index === 0}
            clearable={index > 0}
            searchable
            selectFirstOptionOnChange
            placeholder={index === 0 ? undefined : t("design.lookup_stop")}
            data={(references[index] ?? []).map(({ name, label }) => ({ value: name, label }))}
            value={through[index] ?? null}
            data-path={index === 0 ? fieldPaths(field.id, ["computed.through", "computed"]) : undefined}
            error={index === 0 ? missing(through[0] ?? "", "through", "design.lookup_through") : undefined}
            onChange={(value) => follow(index, value)}
          />
        ))}
      <Select
        label={t("design.lookup_field")}
        withAsterisk
        searchable
        selectFirstOptionOnChange
        disabled={through.length === 0}
        data={shown.map(({ name, label }) => ({ value: name, label }))}
        value={computed.field === "" ? null : computed.field}
        data-path={fieldPaths(field.id, ["computed.field"])}
        error={missing(computed.field, "field", "design.lookup_field")}
        onChange={(value) => {
          const found = shown.find(({ name }) => name === value);
          const type = found?.looked_up_as;
          if (found && type) onChange({ type, settings: undefined, computed: { ...computed, field: found.name } });
        }}
      />
    </>
  );
}

const useFields = (key: string | undefined): readonly SchemaField[] | undefined =>
  useQuery({ ...schemaQuery(key ?? ""), enabled: key !== undefined }).data?.fields;

const referencesOf = (columns: readonly SchemaField[] | undefined) =>
  (columns ?? []).flatMap(({ name, label, to }) => (to ? [{ name, label, to }] : []));

const toOf = (columns: readonly SchemaField[] | undefined, name: string | undefined): string | undefined =>
  columns?.find((one) => one.name === name)?.to ?? undefined;
