// Edits one condition in little room, at its chip. What it is compared with has the focus.
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import type { Leaf } from "./condition.ts";
import { OperatorInput, ValuesInput } from "./condition-inputs.tsx";
import classes from "./filter.module.css";
import { isFilterable } from "./filterable.ts";
import { newLeaf } from "./operator-words.ts";

interface ChipEditorProps {
  readonly recordTypeKey: string;
  readonly leaf: Leaf;
  readonly found: FoundField | null | undefined;
  readonly refusal: string | undefined;
  readonly onChange: (leaf: Leaf) => void;
  readonly onClose: () => void;
}

const FOCUSABLE = "input:not([type=hidden]), button, select, textarea, [tabindex='0']";

export function ChipEditor({ recordTypeKey, leaf, found, refusal, onChange, onClose }: ChipEditorProps) {
  const { t } = useTranslation();
  const id = useId();
  const value = useRef<HTMLDivElement>(null);
  const isKnown = found !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    const first = value.current?.querySelector<HTMLElement>(FOCUSABLE);
    // The dialog around it looks for this, a moment later.
    first?.setAttribute("data-autofocus", "");
    first?.focus({ preventScroll: true });
  }, [isKnown]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in any of its inputs ends it
    <div
      className={classes.editor}
      onKeyDown={(event) => {
        // Where Enter chooses from a list, it goes on.
        const isText = event.target instanceof Element && event.target.matches("input:not([aria-haspopup])");
        if (event.key !== "Enter" || !isText || event.defaultPrevented) return;
        // The chip that gets the focus is not pressed by the same key.
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes.editorHead}>
        <FieldPicker
          recordTypeKey={recordTypeKey}
          label={t("filter.field")}
          title={found ? fieldTitle(found) : leaf.column}
          many
          offers={isFilterable}
          onChoose={({ column, field }) => onChange(newLeaf(column, field))}
        />
        <OperatorInput {...{ leaf, found, onChange }} />
      </div>
      <div ref={value} className={classes.value}>
        {isKnown && <ValuesInput {...{ id, leaf, found, onChange }} />}
      </div>
      {refusal !== undefined && <Notice tone="bad">{t("filter.refused", { reason: refusal })}</Notice>}
    </div>
  );
}
