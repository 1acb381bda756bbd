// A value that is changed where it stands: a click or Enter opens its input, Enter or leaving saves that one field, Esc
// leaves it as it was.
import { IconPencil } from "@tabler/icons-react";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldRule, FormElement, WireRecord } from "../../../../client/records/records.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { checkValue } from "../../../fields/inputs/check-value.ts";
import { fieldName } from "./form-rules.ts";
import classes from "./inline-field.module.css";
import { currentValue } from "./record-field.tsx";
import { StoredValue } from "./stored-value.tsx";
import type { Change, Draft } from "./use-draft.ts";
import type { InlineEdit } from "./use-inline-edit.ts";

interface InlineFieldProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly isRequired: boolean;
  readonly rules: readonly FieldRule[];
  readonly inline: InlineEdit;
  readonly draft: Draft;
}

export function InlineField(props: InlineFieldProps) {
  const { element, record, inline } = props;
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const name = fieldName(element);
  const isOpen = inline.open === name;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (element.type === undefined || fieldTypes[element.type].Input === undefined) {
    return <StoredValue element={element} record={record} {...currentValue(element, record, undefined)} />;
  }
  if (isOpen) return <OpenField {...props} />;
  const start = (event: MouseEvent): void => {
    const selects = window.getSelection()?.toString() !== "";
    // What a dialog of this value is clicked for comes by here too, though it stands elsewhere.
    const { currentTarget, target } = event;
    if (selects || !(target instanceof Element) || !currentTarget.contains(target)) return;
    if (!target.closest("a, button")) inline.start(name);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same by keyboard
    <div className={classes.value} onClick={start}>
      <StoredValue element={element} record={record} {...currentValue(element, record, undefined)} />
      <button
        ref={button}
        type="button"
        className={classes.pencil}
        aria-label={t("record.edit_field", { label: element.label })}
        onClick={(event) => {
          event.stopPropagation();
          inline.start(name);
        }}
      >
        <IconPencil size={14} stroke={1.6} />
      </button>
    </div>
  );
}

function OpenField({ element, record, isRequired, rules, inline, draft }: InlineFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const name = fieldName(element);
  const change = draft.changes[name];
  const { value, text } = currentValue(element, record, change);
  const { Input, isOneGesture, hasLines } = fieldTypes[element.type ?? "short-text"];
  const faults = change
    ? checkValue(rules, value, isRequired ? t("record.required", { label: element.label }) : undefined)
    : [];
  const shownErrors = inline.errors.length > 0 ? inline.errors : faults;
  useEffect(() => {
    const input = document.getElementById(id);
    input?.focus();
    if (input instanceof HTMLInputElement && input.type === "text") input.select();
  }, [id]);
  const commit = (): void => {
    if (faults.length === 0) inline.commit(element, change);
  };
  const press = (event: KeyboardEvent): void => {
    const { target } = event;
    if (target instanceof HTMLElement && target.getAttribute("aria-expanded") === "true") return;
    if (event.key === "Escape") {
      event.stopPropagation();
      inline.cancel();
    } else if (event.key === "Enter" && (!(target instanceof HTMLTextAreaElement) || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      commit();
    }
  };
  const leave = (event: FocusEvent): void => {
    if (event.currentTarget.contains(event.relatedTarget) || inline.conflict) return;
    // What cannot be saved stays open, with what was typed; so does a page that the window's other tab has left.
    if (document.hasFocus() && inline.errors.length === 0) commit();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the input inside
    <div className={classes.open} onKeyDown={press} onBlur={leave} aria-busy={inline.isSaving}>
      {Input && (
        <Input
          element={{ ...element, not_empty: isRequired ? "1" : "0" }}
          id={id}
          name={element.label}
          value={value}
          text={text}
          error={shownErrors.length > 0 ? shownErrors.join(" ") : undefined}
          describedBy={`${id}-keys`}
          onChange={(next, called) => {
            const made: Change = called === undefined ? { value: next } : { value: next, text: called };
            draft.change(name, made);
            if (isOneGesture) inline.commit(element, made);
          }}
        />
      )}
      <span id={`${id}-keys`} className={classes.keys}>
        {t(hasLines ? "record.inline_keys_long" : "record.inline_keys")}
      </span>
    </div>
  );
}
