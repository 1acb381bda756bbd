// A postal address: its lines as inputs, state and country as pickers; and as people read it, with their names.
import { Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WireValue } from "../../../client/records/records.ts";
import { recordQuery } from "../../queries.ts";
import type { StoredProps } from "../field-type.ts";
import type { FieldInputProps } from "./field-input-props.ts";
import { ReferenceInput } from "./reference-input.tsx";

type Parts = Readonly<Record<string, string | null>>;

const lines = ["address_line_1", "address_line_2", "zip", "city"] as const;
const references = { state_id: "masters/states", country_id: "masters/countries" } as const;
const referenceNames = ["state_id", "country_id"] as const;

const partsOf = (value: WireValue): Parts => (typeof value === "object" && value !== null ? value : {});

/** What a state or country is called; undefined while it is not known. */
function useName(key: string, id: string | null | undefined): string | undefined {
  const { data } = useQuery({ ...recordQuery(key, "view", id ?? undefined), enabled: !!id });
  return id ? (data?.name ?? undefined) : undefined;
}

export function AddressInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const parts = partsOf(value);
  const names = {
    state_id: useName(references.state_id, parts.state_id),
    country_id: useName(references.country_id, parts.country_id),
  };
  const change = (part: string, text: string | null): void => {
    const next = { ...parts, [part]: text === "" ? null : text };
    onChange(Object.values(next).every((one) => one === null) ? null : next);
  };
  const called = (part: (typeof lines | typeof referenceNames)[number]): string =>
    `${name ?? element.label}: ${t(`record.${part}`)}`;
  return (
    <Stack gap={6}>
      {lines.map((part, index) => (
        <TextInput
          key={part}
          {...(index === 0 ? { id, "aria-describedby": describedBy } : {})}
          aria-label={called(part)}
          placeholder={t(`record.${part}`)}
          value={parts[part] ?? ""}
          error={index === lines.length - 1 ? error : error !== undefined}
          onChange={(event) => change(part, event.currentTarget.value)}
        />
      ))}
      {referenceNames.map((part) => (
        <ReferenceInput
          key={part}
          element={{ ...element, label: t(`record.${part}`), controller: references[part], not_empty: "0" }}
          id={`${id}-${part}`}
          name={called(part)}
          value={parts[part] ?? null}
          text={names[part]}
          error={undefined}
          describedBy={undefined}
          onChange={(next) => change(part, typeof next === "string" ? next : null)}
        />
      ))}
    </Stack>
  );
}

/** In one line, without the ids that it is made of. */
export function AddressText({ value, plain }: StoredProps) {
  const parts = partsOf(value);
  const state = useName(references.state_id, parts.state_id);
  const country = useName(references.country_id, parts.country_id);
  if (typeof value === "string") return <>{plain}</>;
  const place = [parts.zip, parts.city].filter(Boolean).join(" ");
  return <>{[parts.address_line_1, parts.address_line_2, place, state, country].filter(Boolean).join(", ")}</>;
}
