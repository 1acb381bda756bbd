// The filter in a line above the table: a chip for each condition, which opens it to be edited or takes it off.
import { CloseButton, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { type Condition, emptyFilterValue, leavesOf, readWhere, replaceAt, writeWhere } from "./condition.ts";
import { ConditionWords } from "./condition-words.tsx";
import classes from "./filter.module.css";

interface FilterChipsProps {
  readonly recordTypeKey: string;
  readonly where: unknown;
  readonly onEdit: () => void;
  readonly onChange: (where: unknown) => void;
}

export function FilterChips({ recordTypeKey, where, onEdit, onChange }: FilterChipsProps) {
  const { t } = useTranslation();
  const group = readWhere(where);
  const found = useFoundFields(
    recordTypeKey,
    leavesOf(group).map(({ column }) => column),
  );
  if (group.of.length === 0) return null;
  // What must all hold are chips of their own; anything else is one sentence.
  const parts: readonly { condition: Condition; without: () => unknown }[] =
    group.join === "and" && !group.not
      ? group.of.map((condition, index) => ({
          condition,
          without: () => writeWhere(replaceAt(group, [index], undefined)),
        }))
      : [{ condition: group, without: () => writeWhere(emptyFilterValue) }];
  return (
    <ul className={classes.chips} aria-label={t("filter.chips")}>
      {parts.map(({ condition, without }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
        <li key={index} className={classes.chip}>
          <UnstyledButton className={classes.words ?? ""} onClick={onEdit} title={t("filter.edit")}>
            <ConditionWords condition={condition} found={found} />
          </UnstyledButton>
          <CloseButton size={24} iconSize={14} aria-label={t("filter.take_off")} onClick={() => onChange(without())} />
        </li>
      ))}
    </ul>
  );
}
