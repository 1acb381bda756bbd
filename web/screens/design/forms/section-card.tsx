// A section on the canvas of a form: its heading, its elements in their columns, and what can be added to it.
import { Select, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FormDefinition, FormSectionDefinition } from "../../../../contract/form-definition.ts";
import { elementName } from "../../../../contract/form-definition.ts";
import { type OnDrop, useDragPlace, useDropZone } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import classes from "../design.module.css";
import canvas from "./canvas.module.css";
import { ElementRow } from "./element-row.tsx";
import { elementList, moveSection, putElement } from "./form-draft.ts";
import type { Chosen } from "./form-inspector.tsx";
import type { FormPart } from "./form-parts.ts";

interface SectionCardProps {
  readonly form: FormDefinition;
  readonly section: FormSectionDefinition;
  readonly tab: number;
  readonly place: number;
  readonly count: number;
  readonly parts: readonly FormPart[];
  readonly unused: readonly FormPart[];
  readonly faults: ReadonlyMap<string, string>;
  readonly chosen: Chosen | undefined;
  readonly onChoose: (chosen: Chosen | undefined) => void;
  readonly onChange: (form: FormDefinition) => void;
  readonly onDrop: OnDrop;
  /** The settings of what is chosen, where they stand below it. */
  readonly children: ReactNode;
}

export function SectionCard(props: SectionCardProps) {
  const { form, section, tab, place, count, parts, unused, faults, chosen, onChoose, onChange, onDrop } = props;
  const { t } = useTranslation();
  const list = elementList(tab, place);
  const drag = useDragPlace({
    kind: "section",
    place: { list: String(tab), index: place },
    onDrop: (from, to) => onChange(moveSection(form, tab, from.index, to.index)),
  });
  const { zone, isOver } = useDropZone("element", list, section.elements.length, onDrop);
  const isChosen = chosen?.kind === "section" && chosen.tab === tab && chosen.section === place;
  const fault = faults.get(`section ${list}`);
  const step = (by: -1 | 1): void => {
    const to = place + by;
    if (to < 0 || to >= count) return;
    onChange(moveSection(form, tab, place, by === 1 ? to + 1 : to));
    if (isChosen) onChoose({ kind: "section", tab, section: to });
  };
  const title = section.section || t("forms.unnamed");
  return (
    <li
      ref={drag.row}
      className={canvas.section}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
      data-chosen={isChosen || undefined}
    >
      <div className={classes.line} data-line>
        <UnstyledButton
          className={classes.pick ?? ""}
          data-pick
          aria-expanded={isChosen}
          onClick={() => onChoose(isChosen ? undefined : { kind: "section", tab, section: place })}
        >
          <span className={classes.words}>
            <span>{title}</span>
          </span>
          <span className={classes.tags}>
            {fault !== undefined && <Tag tone="bad">{fault}</Tag>}
            {section.if_condition !== undefined && <Tag>{t("forms.conditional")}</Tag>}
            <Tag tone="word">{t("forms.columns_count", { count: section.columns ?? 1 })}</Tag>
          </span>
        </UnstyledButton>
        <MoveHandle name={title} place={place} count={count} handle={drag.handle} onStep={step} />
      </div>
      {isChosen && props.children}
      {/* The list as a whole takes what is dropped beside its rows. */}
      <ol
        ref={zone as React.RefObject<HTMLOListElement>}
        className={canvas.elements}
        data-columns={section.columns ?? 1}
        data-over={isOver || undefined}
        aria-label={title}
      >
        {section.elements.map((element, index) => {
          const name = elementName(element);
          return (
            <ElementRow
              key={name}
              element={element}
              part={parts.find((one) => one.name === name)}
              list={list}
              place={index}
              count={section.elements.length}
              fault={faults.get(name)}
              isChosen={chosen?.kind === "element" && chosen.name === name}
              onChoose={onChoose}
              onDrop={onDrop}
            >
              {props.children}
            </ElementRow>
          );
        })}
        {section.others && (
          <li className={canvas.others}>
            <span>{t("forms.others")}</span>
            <small>{unused.length === 0 ? t("forms.others_none") : unused.map(({ label }) => label).join(", ")}</small>
          </li>
        )}
        {section.elements.length === 0 && !section.others && (
          <li className={classes.none}>{t(unused.length > 0 ? "forms.empty_section" : "forms.empty_section_full")}</li>
        )}
      </ol>
      {unused.length > 0 && (
        <Select
          size="xs"
          variant="unstyled"
          className={canvas.adder ?? ""}
          wrapperProps={{ "data-line": true }}
          searchable
          selectFirstOptionOnChange
          value={null}
          aria-label={t("forms.add_to", { name: title })}
          placeholder={t("forms.add_element")}
          data={unused.map(({ name, label }) => ({ value: name, label }))}
          onChange={(name) => {
            const part = unused.find((one) => one.name === name);
            if (!part) return;
            onChange(putElement(form, part.element, { list, index: section.elements.length }));
            onChoose({ kind: "element", name: part.name });
          }}
        />
      )}
    </li>
  );
}
