// The filter of a list in a row: a chip for each condition, which opens to be edited where it stands, and one to add more.
import { CloseButton, Popover, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import { withFieldParts } from "../../../fields/with-field-parts.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { alongside, type Condition, emptyFilterValue, isComplete, leavesOf, replaceAt } from "./condition.ts";
import { ConditionWords } from "./condition-words.tsx";
import classes from "./filter.module.css";
import { isFilterable } from "./filterable.ts";
import { newLeaf } from "./operator-words.ts";
import { useFilterDraft } from "./use-filter-draft.ts";

const ChipEditor = lazyPart(async () => (await withFieldParts(() => import("./chip-editor.tsx"))).ChipEditor, {
  hasInput: true,
});

/** A condition to begin with. */
export interface BegunCondition {
  readonly column: string;
  readonly field: SchemaField;
}

interface FilterBarProps {
  readonly recordTypeKey: string;
  readonly where: unknown;
  readonly begin: BegunCondition | undefined;
  /** Why the service did not take it. */
  readonly refusal: string | undefined;
  readonly disabled: boolean;
  /** The button that adds a condition. */
  readonly addRef: RefObject<HTMLButtonElement | null>;
  readonly onBegun: () => void;
  readonly onChange: (where: unknown) => void;
  /** Groups within groups take more room. */
  readonly onAdvanced: () => void;
}

export function FilterBar(props: FilterBarProps) {
  const { recordTypeKey, where, begin, refusal, addRef, onBegun, onAdvanced } = props;
  const { t } = useTranslation();
  const [group, put] = useFilterDraft(where, props.onChange);
  const [open, setOpen] = useState<number>();
  const chips = useRef<HTMLUListElement>(null);
  const found = useFoundFields(
    recordTypeKey,
    leavesOf(group).map(({ column }) => column),
  );
  // What must all hold are chips of their own; anything else is one sentence.
  const isPlain = group.join === "and" && !group.not;
  const parts: readonly Condition[] = isPlain ? group.of : group.of.length === 0 ? [] : [group];
  const replace = (index: number, next: Condition | undefined, atOnce = false): void =>
    put(isPlain ? replaceAt(group, [index], next) : emptyFilterValue, atOnce);

  const add = ({ column, field }: BegunCondition): void => {
    const next = alongside(group, newLeaf(column, field));
    put(next);
    setOpen(next.of.length - 1);
  };
  const close = (): void => {
    const left = open === undefined ? undefined : parts[open];
    // What was not finished is not there.
    if (open !== undefined && left?.kind === "leaf" && !isComplete(left)) replace(open, undefined);
    setOpen(undefined);
  };
  // Where it was opened from may be gone: a list of fields is closed by then.
  const closeByKey = (): void => {
    const chip = open === undefined ? undefined : chips.current?.children[open]?.querySelector("button");
    const left = open === undefined ? undefined : parts[open];
    close();
    (left?.kind === "leaf" && !isComplete(left) ? addRef.current : chip)?.focus();
  };
  const beginWith = useEffectEvent((condition: BegunCondition) => {
    add(condition);
    onBegun();
  });
  useEffect(() => {
    if (begin !== undefined) beginWith(begin);
  }, [begin]);
  const closeAway = useEffectEvent(close);
  const isOpen = open !== undefined;
  // The editor's own lists lie over the page too: a click in them is none outside.
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: Event): void => {
      if (target instanceof Element && target.closest("[data-portal], [data-chip-open]") === null) closeAway();
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [isOpen]);

  return (
    <>
      {parts.length > 0 && (
        <ul ref={chips} className={classes.chips} aria-label={t("filter.chips")}>
          {parts.map((condition, index) => {
            const field = condition.kind === "leaf" ? found.get(condition.column)?.field : undefined;
            const TypeIcon = field && fieldTypes[field.type].design.icon;
            return (
              <Popover
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
                key={index}
                opened={open === index}
                onDismiss={closeByKey}
                closeOnClickOutside={false}
                position="bottom-start"
                shadow="md"
                width="min(340px, calc(100vw - 24px))"
                trapFocus
              >
                <li className={classes.chip} data-chip-open={open === index || undefined}>
                  <Popover.Target>
                    <UnstyledButton
                      className={classes.words ?? ""}
                      title={t("filter.edit")}
                      onClick={() => {
                        if (condition.kind === "group") onAdvanced();
                        else if (open === index) close();
                        else setOpen(index);
                      }}
                    >
                      {TypeIcon && <TypeIcon size={14} stroke={1.6} aria-hidden="true" />}
                      <span>
                        <ConditionWords condition={condition} found={found} />
                      </span>
                    </UnstyledButton>
                  </Popover.Target>
                  <CloseButton
                    size={24}
                    iconSize={14}
                    aria-label={t("filter.take_off")}
                    onClick={() => {
                      setOpen(undefined);
                      replace(index, undefined, true);
                    }}
                  />
                </li>
                <Popover.Dropdown p={10}>
                  {condition.kind === "leaf" && (
                    <ChipEditor
                      {...{ recordTypeKey, refusal }}
                      leaf={condition}
                      found={found.get(condition.column)}
                      onChange={(next) => replace(index, next)}
                      onClose={closeByKey}
                    />
                  )}
                </Popover.Dropdown>
              </Popover>
            );
          })}
        </ul>
      )}
      <FieldPicker
        recordTypeKey={recordTypeKey}
        label={t("filter.add")}
        title={undefined}
        many
        offers={isFilterable}
        disabled={props.disabled}
        buttonRef={addRef}
        button={
          <>
            <IconPlus size={14} stroke={1.8} aria-hidden="true" />
            {t("filter.button")}
          </>
        }
        other={{ label: t("filter.advanced"), onChoose: onAdvanced }}
        onChoose={add}
      />
    </>
  );
}
