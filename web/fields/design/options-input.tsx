// The options of a choice: typed one after the other or pasted as lines, colored, put in order, taken out.
import { ActionIcon, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { movedWithin, type OnDrop, useDragPlace } from "../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../parts/controls/move-handle.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { type OptionRow, readOptions, withOptions } from "./option-rows.ts";
import classes from "./options-input.module.css";
import type { SettingInputProps } from "./setting-input-props.ts";

export function OptionsInput({ label, value, error, errorAt, pathOf, onChange }: SettingInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState("");
  const rows = readOptions(value);
  const put = (next: readonly OptionRow[]): void => onChange(next.length === 0 ? undefined : next);
  const add = (text: string): void => {
    put(withOptions(rows, text));
    setTyped("");
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text");
    if (!text.includes("\n")) return;
    event.preventDefault();
    add(text);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || typed.trim() === "") return;
    event.preventDefault();
    add(typed);
  };
  return (
    <fieldset className={classes.options} aria-describedby={error && `${id}-error`}>
      <legend>
        {label}
        <span aria-hidden="true"> *</span>
      </legend>
      <ol>
        {rows.map((row, index) => (
          <OptionItem
            key={row.value}
            row={row}
            place={index}
            count={rows.length}
            error={errorAt(`${index}.label`) ?? errorAt(`${index}.value`)}
            paths={`${pathOf(`${index}.label`)} ${pathOf(`${index}.value`)}`}
            onMove={(from, to) => put(movedWithin(rows, from.index, to.index))}
            onChange={(next) =>
              put(rows.flatMap((one, at) => (at === index ? (next === undefined ? [] : [next]) : [one])))
            }
          />
        ))}
      </ol>
      <TextInput
        size="xs"
        value={typed}
        aria-label={t("design.option_new")}
        placeholder={t("design.option_new_hint")}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={paste}
        onBlur={() => typed.trim() !== "" && add(typed)}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("design.option_add")}
            onClick={() => add(typed)}
          >
            <IconPlus size={14} />
          </ActionIcon>
        }
      />
      {error !== undefined && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface OptionItemProps {
  readonly row: OptionRow;
  readonly place: number;
  readonly count: number;
  readonly error: string | undefined;
  readonly paths: string;
  readonly onMove: OnDrop;
  readonly onChange: (row: OptionRow | undefined) => void;
}

function OptionItem({ row, place, count, error, paths, onMove, onChange }: OptionItemProps) {
  const { t } = useTranslation();
  const list = "options";
  const drag = useDragPlace({ kind: "option", place: { list, index: place }, onDrop: onMove });
  const input = useRef<HTMLInputElement>(null);
  const step = (by: -1 | 1): void => {
    const to = place + by;
    if (to >= 0 && to < count) onMove({ list, index: place }, { list, index: by === 1 ? to + 1 : to });
  };
  return (
    <li ref={drag.row} className={classes.option} data-edge={drag.edge ?? undefined} data-dragged={drag.isDragged}>
      <MoveHandle name={row.label} place={place} count={count} handle={drag.handle} onStep={step} />
      <ColorChoice
        name={row.label}
        color={row.color}
        onChange={(color) => {
          const { color: _, ...others } = row;
          onChange(color === undefined ? others : { ...others, color });
        }}
      />
      <TextInput
        ref={input}
        size="xs"
        className={classes.label ?? ""}
        value={row.label}
        data-path={paths}
        error={error}
        aria-label={t("design.option_label", { place: place + 1 })}
        onChange={(event) => onChange({ ...row, label: event.currentTarget.value })}
      />
      <code title={t("design.option_value")}>{row.value}</code>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t("design.option_remove", { name: row.label })}
        onClick={() => onChange(undefined)}
      >
        <IconX size={14} />
      </ActionIcon>
    </li>
  );
}
