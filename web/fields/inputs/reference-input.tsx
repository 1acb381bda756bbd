// Picks a record of another type: type to search, choose by keyboard or pointer; the recently used come first, and who
// may adds a new one on the spot.
import { ActionIcon, CloseButton, Combobox, Group, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconEye, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isOn } from "../../../client/design/record-types.ts";
import type { FormElement, FoundRecord } from "../../../client/records/records.ts";
import { useLateList } from "../../parts/controls/use-late-list.ts";
import { faceShape } from "../../parts/layout/face.tsx";
import { noteRecent, useRecentRecords } from "../../parts/recent-records.ts";
import { RecordMark } from "../../parts/shell/record-mark.tsx";
import { findRecordsQuery, navigationQuery, schemaQuery, whoMayQuery } from "../../queries.ts";
import { useRecordTexts } from "../files/record-values.ts";
import classes from "../showing/values.module.css";
import type { FieldInputProps } from "./field-input-props.ts";
import { useReferenceTools } from "./reference-tools.ts";

const BREATH_MS = 180;
const MOST_RECENT = 5;
const none: readonly string[] = [];
/** The option that is no record; no id looks like it. */
const NEW = "+";

/** What limits the choices; nothing where it depends on values that are not known, as in an edit of many. */
function useLimits({ choices }: FormElement) {
  const values = useRecordTexts(choices?.by ?? none);
  return choices && values && { ...choices, values };
}

export function ReferenceInput({ element, id, name, value, text, error, describedBy, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const key = element.controller ?? "";
  const tools = useReferenceTools();
  const list = useLateList();
  const [typed, setTyped] = useState<string>();
  const [search] = useDebouncedValue(typed?.trim() ?? "", BREATH_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      marked.current = undefined;
      setTyped(undefined);
    },
  });
  const limits = useLimits(element);
  const enabled = combobox.dropdownOpened && key !== "";
  const found = useQuery({ ...findRecordsQuery(key, search, limits), enabled, staleTime: 10_000 });
  const { data: mayAdd } = useQuery({
    ...whoMayQuery(key),
    enabled: enabled && tools.addRecord !== undefined,
    select: ({ mine }) => isOn(mine.add),
  });
  const { data: label } = useQuery({
    ...schemaQuery(key),
    enabled: enabled && mayAdd === true,
    select: ({ recordType }) => recordType.label,
  });
  const { data: icon } = useQuery({
    ...navigationQuery,
    enabled,
    select: (modules) => modules.flatMap(({ entries }) => entries).find((one) => one.key === key)?.icon,
  });
  const hasFace = faceShape(icon) !== undefined;
  const recent = useRecentRecords()
    // Whether one of them can be chosen here is not known.
    .filter((one) => one.key === key && limits === undefined)
    .slice(0, MOST_RECENT);
  const offersRecent = search === "" && (typed ?? "") === "" && recent.length > 0;
  const recentIds = new Set(offersRecent ? recent.map((one) => one.id) : []);
  const options = (found.data ?? []).filter((option) => !recentIds.has(option.id));
  // Enter takes the first record that was found by what is typed. It is marked once: the arrow keys go on from there.
  const marked = useRef<string>(undefined);
  const isFound = search !== "" && search === typed?.trim() && options.length > 0;
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (!isFound || marked.current === typed) return;
    marked.current = typed;
    selectFirstOption();
  }, [isFound, typed, selectFirstOption]);
  const choose = ({ id: chosen, name: called }: FoundRecord): void => {
    noteRecent({ key, id: chosen, name: called });
    onChange(chosen, called);
  };
  const submit = (chosen: string): void => {
    const words = typed?.trim() ?? "";
    combobox.closeDropdown();
    if (chosen === NEW) tools.addRecord?.(key, words, choose);
    else {
      const option = [...recent, ...options].find((one) => one.id === chosen);
      if (option) choose(option);
    }
  };
  const shown = typed ?? text ?? "";
  const words = found.isError
    ? "record.reference_failed"
    : found.isPending
      ? "record.searching"
      : limits && limits.by.length > 0
        ? "record.no_choice"
        : "record.no_reference";
  const item = (option: FoundRecord) => (
    <Combobox.Option key={option.id} value={option.id}>
      <span className={classes.option}>
        {hasFace && <RecordMark name={option.name} icon={icon} />}
        <span dir="auto">{option.name}</span>
      </span>
    </Combobox.Option>
  );
  const isSet = typeof value === "string" && value !== "";
  return (
    <Combobox store={combobox} onOptionSubmit={submit} {...list.comboboxProps}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          id={id}
          aria-label={name}
          value={shown}
          error={error}
          aria-describedby={describedBy}
          required={element.not_empty === "1"}
          placeholder={t("record.search_reference")}
          autoComplete="off"
          rightSectionWidth={isSet && tools.peekAt ? 60 : undefined}
          rightSection={
            found.isFetching ? (
              <Loader size={14} />
            ) : isSet ? (
              <Group gap={2} wrap="nowrap">
                {tools.peekAt && (
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    aria-label={t("record.look_at", { name: text ?? value })}
                    title={t("record.look_at", { name: text ?? value })}
                    onClick={() => tools.peekAt?.(key, value)}
                  >
                    <IconEye size={15} stroke={1.6} />
                  </ActionIcon>
                )}
                <CloseButton
                  size="sm"
                  aria-label={t("record.clear", { label: element.label })}
                  onClick={() => {
                    setTyped(undefined);
                    onChange(null, null);
                  }}
                />
              </Group>
            ) : (
              <Combobox.Chevron />
            )
          }
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          // What is not found yet is neither taken nor left out by saving the form.
          onKeyDown={(event) => event.key === "Enter" && typed !== undefined && event.preventDefault()}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => {
            list.onFocus();
            event.currentTarget.select();
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: "auto" }} aria-label={element.label}>
          {offersRecent && <Combobox.Group label={t("record.recent")}>{recent.map(item)}</Combobox.Group>}
          {options.length > 0 &&
            (offersRecent ? (
              <Combobox.Group label={t("record.all_others")}>{options.map(item)}</Combobox.Group>
            ) : (
              options.map(item)
            ))}
          {options.length === 0 && !offersRecent && <Combobox.Empty>{t(words)}</Combobox.Empty>}
          {mayAdd && label !== undefined && (
            <Combobox.Option value={NEW} className={classes.newOption ?? ""}>
              <IconPlus size={14} stroke={1.8} aria-hidden="true" />
              {typed?.trim() ? t("record.add_named", { label, name: typed.trim() }) : t("record.add_row", { label })}
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
