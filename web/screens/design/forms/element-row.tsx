// One element on the canvas of a form: what it is, and what is special about it here.
import { UnstyledButton } from "@mantine/core";
import { IconAlertCircle, IconEyeQuestion, IconLock, IconQuestionMark, IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FormElementDefinition } from "../../../../contract/form-definition.ts";
import { elementName } from "../../../../contract/form-definition.ts";
import { permission } from "../../../../contract/permissions.ts";
import { type OnDrop, useDragPlace } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import classes from "../design.module.css";
import canvas from "./canvas.module.css";
import type { Chosen } from "./form-inspector.tsx";
import type { FormPart } from "./form-parts.ts";

interface ElementRowProps {
  readonly element: FormElementDefinition;
  /** Undefined for what the record type no longer has. */
  readonly part: FormPart | undefined;
  readonly list: string;
  readonly place: number;
  readonly count: number;
  readonly fault: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (chosen: Chosen | undefined) => void;
  readonly onDrop: OnDrop;
  readonly children: ReactNode;
}

export function ElementRow(props: ElementRowProps) {
  const { element, part, list, place, count, fault, isChosen, onChoose, onDrop } = props;
  const { t } = useTranslation();
  const drag = useDragPlace({ kind: "element", place: { list, index: place }, onDrop });
  const name = elementName(element);
  const label = element.label ?? part?.label ?? name;
  const step = (by: -1 | 1): void => {
    const to = place + by;
    if (to >= 0 && to < count) onDrop({ list, index: place }, { list, index: by === 1 ? to + 1 : to });
  };
  const PartIcon = part?.icon ?? IconQuestionMark;
  const isRequired = part?.field?.required || ("required" in element && element.required);
  const conditional = element.if_condition ?? ("required_if" in element ? element.required_if : undefined);
  return (
    <li
      ref={drag.row}
      className={canvas.element}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
      data-chosen={isChosen || undefined}
      data-kind={part?.kind}
    >
      <div className={classes.line} data-line>
        <UnstyledButton
          className={classes.pick ?? ""}
          data-pick
          aria-expanded={isChosen}
          onClick={() => onChoose(isChosen ? undefined : { kind: "element", name })}
        >
          <PartIcon size={16} stroke={1.6} aria-hidden="true" />
          <span className={classes.words}>
            <span>
              {label}
              {isRequired && <em aria-hidden="true"> *</em>}
            </span>
          </span>
          <span className={canvas.marks}>
            {conditional !== undefined && <IconEyeQuestion size={15} role="img" aria-label={t("forms.conditional")} />}
            {(element.permission === permission.VIEW || element.permission === permission.DELETE) && (
              <IconLock size={15} role="img" aria-label={t("forms.levels.read_only")} />
            )}
            {element.roles && <IconUsers size={15} role="img" aria-label={t("forms.by_role")} />}
            {(fault !== undefined || part === undefined) && (
              <IconAlertCircle size={15} role="img" aria-label={fault ?? t("forms.gone")} className={classes.bad} />
            )}
          </span>
        </UnstyledButton>
        <MoveHandle name={label} place={place} count={count} handle={drag.handle} onStep={step} />
      </div>
      {fault !== undefined && <p className={classes.error}>{fault}</p>}
      {isChosen && props.children}
    </li>
  );
}
