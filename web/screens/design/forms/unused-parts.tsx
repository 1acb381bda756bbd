// What of a record type no section of its form names: dragged or clicked onto it; what is dropped here leaves the form.
import { TextInput, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type OnDrop, useDragPlace, useDropZone } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import classes from "../design.module.css";
import canvas from "./canvas.module.css";
import { UNUSED } from "./form-draft.ts";
import type { FormPart } from "./form-parts.ts";

interface UnusedPartsProps {
  readonly parts: readonly FormPart[];
  /** The title of the section that shows them all the same. */
  readonly others: string | undefined;
  readonly onDrop: OnDrop;
  readonly onAdd: (part: FormPart) => void;
}

export function UnusedParts({ parts, others, onDrop, onAdd }: UnusedPartsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const { zone, isOver } = useDropZone("element", UNUSED, parts.length, onDrop);
  const title = others === undefined ? t("forms.unused") : t("forms.unused_others", { name: others });
  const wanted = text.trim().toLocaleLowerCase();
  return (
    <section ref={zone} className={canvas.tray} data-over={isOver || undefined} aria-label={title}>
      <h3>{title}</h3>
      {parts.length > 8 && (
        <TextInput
          size="xs"
          mb={6}
          value={text}
          aria-label={t("forms.find_unused")}
          placeholder={t("forms.find_unused")}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {parts.length === 0 && <p className={classes.none}>{t("forms.unused_none")}</p>}
      <ul className={canvas.rowsPlain} data-lines>
        {parts.map(
          (part, index) =>
            part.label.toLocaleLowerCase().includes(wanted) && (
              <UnusedPart
                key={part.name}
                part={part}
                place={index}
                count={parts.length}
                onDrop={onDrop}
                onAdd={onAdd}
              />
            ),
        )}
      </ul>
    </section>
  );
}

interface UnusedPartProps extends Pick<UnusedPartsProps, "onDrop" | "onAdd"> {
  readonly part: FormPart;
  readonly place: number;
  readonly count: number;
}

function UnusedPart({ part, place, count, onDrop, onAdd }: UnusedPartProps) {
  const { t } = useTranslation();
  const drag = useDragPlace({ kind: "element", place: { list: UNUSED, index: place }, onDrop });
  const PartIcon = part.icon;
  return (
    <li ref={drag.row} className={canvas.element} data-dragged={drag.isDragged || undefined}>
      <div className={classes.line} data-line>
        <MoveHandle name={part.label} place={place} count={count} handle={drag.handle} />
        <UnstyledButton
          className={classes.pick ?? ""}
          data-pick
          aria-label={t("forms.add_named", { name: part.label })}
          onClick={() => onAdd(part)}
        >
          <PartIcon size={16} stroke={1.6} aria-hidden="true" />
          <span className={classes.words}>{part.label}</span>
          <IconPlus size={14} aria-hidden="true" />
        </UnstyledButton>
      </div>
    </li>
  );
}
