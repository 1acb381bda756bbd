// The input of a cell that is edited, in its place: Enter saves, Tab saves and moves on, Esc leaves it as it was.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { fieldValue } from "../../../fields/field-value.ts";
import { RecordValuesContext, useRecordValues } from "../../../fields/files/record-values.ts";
import { useFormats } from "../../../fields/formats.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { plainText } from "../../../fields/inputs/field-input-props.ts";
import { recordQuery } from "../../../queries.ts";
import classes from "./cell-editor.module.css";
import type { OpenCell } from "./open-cell.ts";
import type { CellValue } from "./patch-rows.ts";
import type { CellEdit } from "./use-cell-edit.ts";

interface CellEditorProps {
  readonly cell: OpenCell;
  readonly edit: CellEdit;
  /** After it is left: the focus goes back to the cell, or on to another. */
  readonly onLeave: (step: -1 | 0 | 1) => void;
}

export function CellEditor({ cell, edit, onLeave }: CellEditorProps) {
  const { t } = useTranslation();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  // Going away takes the focus along: that is no second answer.
  const isDone = useRef(false);
  const { field, typed, errors, theirs, column } = cell;
  const { Input, isOneGesture } = fieldTypes[field.type];
  // What limits the choices may stand in other fields, of which the list does not show all.
  const [type = ""] = field.choices?.for.split(".") ?? [];
  const isLimited = (field.choices?.by.length ?? 0) > 0;
  const stored = useQuery({ ...recordQuery(type, "view", cell.id), enabled: isLimited });
  const values = useRecordValues((name) => stored.data?.data[stored.data.alias]?.[name]);
  const isReady = !isLimited || !stored.isPending;
  useEffect(() => {
    if (!isReady) return;
    const input = document.getElementById(id) ?? box.current?.querySelector<HTMLElement>("input, textarea, button");
    input?.focus({ preventScroll: true });
    if (!(input instanceof HTMLInputElement)) return;
    // What is chosen from a list shows it at once.
    if (input.getAttribute("aria-haspopup") === "listbox") input.click();
    else if (input.type === "text") input.select();
  }, [id, isReady]);

  const isRequiredAndEmpty = field.required && typed.value === null;
  const commit = (step: -1 | 0 | 1, given?: CellValue): void => {
    if (isDone.current || (isRequiredAndEmpty && given === undefined)) return;
    isDone.current = true;
    edit.commit(given);
    onLeave(step);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const { target } = event;
    const isListOpen = target instanceof HTMLElement && target.getAttribute("aria-expanded") === "true";
    if (event.key === "Escape") {
      if (isListOpen) return;
      event.preventDefault();
      isDone.current = true;
      edit.cancel();
      onLeave(0);
    } else if (event.key === "Tab" && theirs === undefined) {
      event.preventDefault();
      commit(event.shiftKey ? -1 : 1);
    } else if (event.key === "Enter" && !event.defaultPrevented && theirs === undefined) {
      if (target instanceof HTMLTextAreaElement && event.shiftKey) return;
      event.preventDefault();
      commit(0);
    }
  };
  const leave = (event: FocusEvent): void => {
    const to = event.relatedTarget;
    if (isDone.current || box.current?.contains(to) || theirs !== undefined || !document.hasFocus()) return;
    // Lists of options stand elsewhere in the page.
    if (to instanceof Element && to.closest("[data-portal]")) return;
    if (!isRequiredAndEmpty && errors.length === 0) edit.commit();
  };
  const shownErrors =
    errors.length > 0 ? errors : isRequiredAndEmpty ? [t("record.required", { label: column.label })] : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the input inside
    <div
      ref={box}
      className={classes.editor}
      onKeyDown={press}
      onBlur={leave}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {Input && isReady && (
        <RecordValuesContext value={values}>
          <Input
            element={elementOf(field)}
            id={id}
            name={column.label}
            value={typed.value}
            text={typed.text}
            error={shownErrors.length > 0 ? shownErrors.join(" ") : undefined}
            describedBy={undefined}
            onChange={(value, text) => {
              const next: CellValue = { value: plainText(value) || null, text };
              if (isOneGesture) commit(0, next);
              else edit.type(next);
            }}
          />
        </RecordValuesContext>
      )}
      {theirs && <Choice cell={cell} theirs={theirs} edit={edit} onLeave={onLeave} />}
    </div>
  );
}

interface ChoiceProps extends CellEditorProps {
  readonly theirs: CellValue;
}

function Choice({ cell, theirs, edit, onLeave }: ChoiceProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = { yes: t("values.yes"), no: t("values.no") };
  const show = ({ value, text }: CellValue) =>
    value === null ? t("values.none") : fieldValue(cell.column.field, { value, text }, formats, words, -1);
  const choose = (take: "mine" | "theirs"): void => {
    edit.resolve(take);
    onLeave(0);
  };
  return (
    <div className={classes.choice} role="alert">
      <p>{t("edit.conflict")}</p>
      <dl>
        <dt>{t("record.mine")}</dt>
        <dd>{show(cell.typed)}</dd>
        <dt>{t("record.theirs")}</dt>
        <dd>{show(theirs)}</dd>
      </dl>
      <Button size="compact-xs" onClick={() => choose("mine")}>
        {t("edit.take_mine")}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => choose("theirs")}>
        {t("edit.take_theirs")}
      </Button>
    </div>
  );
}
