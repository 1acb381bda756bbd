// Picks a record of another type: type to search, choose by keyboard or pointer.
import { CloseButton, Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { findRecordsQuery } from "../queries.ts";
import type { FieldInputProps } from "./field-input-props.ts";

const BREATH_MS = 180;

export function ReferenceInput({ element, id, name, text, error, describedBy, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  const [search] = useDebouncedValue(typed?.trim() ?? "", BREATH_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped(undefined);
    },
  });
  const found = useQuery({
    ...findRecordsQuery(element.controller ?? "", search),
    enabled: combobox.dropdownOpened && element.controller !== undefined,
    staleTime: 10_000,
  });
  const options = found.data ?? [];
  const shown = typed ?? text ?? "";
  const words = found.isError
    ? "record.reference_failed"
    : found.isPending
      ? "record.searching"
      : "record.no_reference";
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(chosen) => {
        onChange(chosen, options.find((option) => option.id === chosen)?.name);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target>
        <TextInput
          id={id}
          aria-label={name}
          value={shown}
          error={error}
          aria-describedby={describedBy}
          required={element.not_empty === 1}
          placeholder={t("record.search_reference")}
          autoComplete="off"
          rightSection={
            found.isFetching ? (
              <Loader size={14} />
            ) : text ? (
              <CloseButton
                size="sm"
                aria-label={t("record.clear", { label: element.label })}
                onClick={() => {
                  setTyped(undefined);
                  onChange(null, null);
                }}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: "auto" }} aria-label={element.label}>
          {options.map((option) => (
            <Combobox.Option key={option.id} value={option.id}>
              {option.name}
            </Combobox.Option>
          ))}
          {options.length === 0 && <Combobox.Empty>{t(words)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
