// A group of conditions to edit, with groups within: "where all of these are true".
import { Button, CloseButton, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { FoundField } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import { type Condition, type Group, groupOf, MOST_DEEP, replaceAt } from "./condition.ts";
import { ConditionRow } from "./condition-row.tsx";
import classes from "./filter.module.css";
import { isFilterable } from "./filterable.ts";
import { newLeaf } from "./operator-words.ts";

const kinds = {
  all: { join: "and", not: false },
  any: { join: "or", not: false },
  none: { join: "or", not: true },
  not_all: { join: "and", not: true },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly Kind[];

interface GroupEditorProps {
  readonly recordTypeKey: string;
  readonly group: Group;
  readonly found: ReadonlyMap<string, FoundField | null>;
  /** Which fields can be chosen. */
  readonly offers?: (field: SchemaField) => boolean;
  /** None of other records. */
  readonly ownOnly?: boolean;
  readonly depth?: number;
  readonly onChange: (group: Group) => void;
  readonly onRemove?: () => void;
}

export function GroupEditor(props: GroupEditorProps) {
  const { recordTypeKey, group, found, offers = isFilterable, ownOnly = false, depth = 0, onChange, onRemove } = props;
  const { t } = useTranslation();
  const kind = kindNames.find((name) => kinds[name].join === group.join && kinds[name].not === group.not) ?? "all";
  const put = (index: number, next: Condition | undefined): void => onChange(replaceAt(group, [index], next));
  const add = (condition: Condition): void => onChange({ ...group, of: [...group.of, condition] });
  return (
    <div className={classes.group} data-inner={depth > 0 || undefined}>
      <div className={classes.sentence}>
        <span>{t("filter.where")}</span>
        <Select
          size="xs"
          className={classes.kind ?? ""}
          aria-label={t("filter.kind")}
          allowDeselect={false}
          data={kindNames.map((value) => ({ value, label: t(`filter.kinds.${value}`) }))}
          value={kind}
          onChange={(next) => onChange({ ...group, ...kinds[kindNames.find((name) => name === next) ?? "all"] })}
        />
        <span>{t("filter.these")}</span>
        {onRemove && <CloseButton size="sm" aria-label={t("filter.remove_group")} onClick={onRemove} />}
      </div>
      <ul className={classes.conditions}>
        {group.of.map((condition, index) => {
          const shared = { recordTypeKey, offers, ownOnly, onRemove: () => put(index, undefined) };
          return condition.kind === "leaf" ? (
            <ConditionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
              key={index}
              {...shared}
              leaf={condition}
              found={found.get(condition.column)}
              onChange={(next) => put(index, next)}
            />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
            <li key={index}>
              <GroupEditor
                {...shared}
                group={condition}
                found={found}
                depth={depth + 1}
                onChange={(next) => put(index, next)}
              />
            </li>
          );
        })}
      </ul>
      <div className={classes.more}>
        <FieldPicker
          recordTypeKey={recordTypeKey}
          label={t("filter.add")}
          title={undefined}
          many
          offers={offers}
          ownOnly={ownOnly}
          button={
            <>
              <IconPlus size={14} stroke={1.8} aria-hidden="true" />
              {t("filter.add")}
            </>
          }
          onChoose={({ column, field }) => add(newLeaf(column, field))}
        />
        {depth < MOST_DEEP && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            c="dimmed"
            fw={400}
            onClick={() => add(groupOf([], group.join === "and" ? "or" : "and"))}
          >
            {t("filter.add_group")}
          </Button>
        )}
      </div>
    </div>
  );
}
