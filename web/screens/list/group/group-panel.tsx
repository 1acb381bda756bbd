// Groups a list: by which fields or periods, and what is worked out of each group.
import { Button, CloseButton, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import shared from "../filter/filter.module.css";
import classes from "./group.module.css";
import {
  type Aggregate,
  aggregates,
  type Figure,
  type GroupBy,
  type Grouping,
  isGroupable,
  newGroup,
  periods,
} from "./grouping.ts";

const MOST_GROUPS = 3;

interface GroupPanelProps {
  readonly schema: RecordTypeSchema;
  readonly grouping: Grouping;
  readonly onChange: (grouping: Grouping) => void;
  readonly onUngroup: () => void;
  readonly onClose: () => void;
}

const figures = ({ type }: SchemaField): boolean => fieldTypes[type].figures !== undefined;

export function GroupPanel({ schema, grouping, onChange, onUngroup, onClose }: GroupPanelProps) {
  const { t } = useTranslation();
  const { key } = schema.recordType;
  const found = useFoundFields(
    key,
    [...grouping.by, ...grouping.figures].map(({ column }) => column),
  );
  const titleOf = (column: string): string => {
    const field = found.get(column);
    return field ? fieldTitle(field) : column;
  };
  const put = (changes: Partial<Grouping>): void => onChange({ ...grouping, ...changes });
  const changeBy = (index: number, next: GroupBy | undefined): void => {
    const by = grouping.by.flatMap((each, at) => (at !== index ? [each] : next === undefined ? [] : [next]));
    if (by.length === 0) onUngroup();
    else put({ by });
  };
  const changeFigure = (index: number, next: Figure | undefined): void =>
    put({
      figures: grouping.figures.flatMap((each, at) => (at !== index ? [each] : next === undefined ? [] : [next])),
    });
  const addLook = <IconPlus size={14} stroke={1.8} aria-hidden="true" />;
  return (
    <section className={shared.panel} aria-label={t("group.title")}>
      <div className={shared.body}>
        <div className={classes.line}>
          <span className={classes.word}>{t("group.by")}</span>
          {grouping.by.map((by, index) => {
            const field = found.get(by.column)?.field;
            const title = titleOf(by.column);
            return (
              <span key={`${by.column} ${by.period ?? ""}`} className={classes.part}>
                <FieldPicker
                  recordTypeKey={key}
                  label={t("group.field")}
                  title={title}
                  offers={isGroupable}
                  onChoose={({ column, field: chosen }) => changeBy(index, newGroup(column, chosen))}
                />
                {field && fieldTypes[field.type].days !== undefined && (
                  <Select
                    size="xs"
                    className={classes.period ?? ""}
                    aria-label={t("group.period", { field: title })}
                    allowDeselect={false}
                    data={periods.map((value) => ({ value, label: t(`group.periods.${value}`) }))}
                    value={by.period ?? null}
                    onChange={(next) => {
                      const period = periods.find((each) => each === next);
                      changeBy(index, { column: by.column, ...(period ? { period } : {}) });
                    }}
                  />
                )}
                <CloseButton
                  size="sm"
                  aria-label={t("group.remove", { field: title })}
                  onClick={() => changeBy(index, undefined)}
                />
              </span>
            );
          })}
          {grouping.by.length < MOST_GROUPS && (
            <FieldPicker
              recordTypeKey={key}
              label={t("group.add")}
              title={undefined}
              offers={isGroupable}
              button={
                <>
                  {addLook}
                  {t(grouping.by.length === 0 ? "group.choose" : "group.add")}
                </>
              }
              onChoose={({ column, field }) =>
                put({
                  by: [...grouping.by, newGroup(column, field)],
                  ...(grouping.figures.length === 0
                    ? { figures: [{ aggregate: "count" as const, column: idColumn(schema) }] }
                    : {}),
                })
              }
            />
          )}
        </div>
        {grouping.by.length > 0 && (
          <div className={classes.line}>
            <span className={classes.word}>{t("group.show")}</span>
            {grouping.figures.map((figure, index) => {
              const isCount = figure.aggregate === "count" && figure.column === idColumn(schema);
              const title = isCount ? t("group.count") : titleOf(figure.column);
              return (
                <span key={`${figure.aggregate} ${figure.column}`} className={classes.part}>
                  {isCount ? (
                    <span className={classes.fixed}>{title}</span>
                  ) : (
                    <Select
                      size="xs"
                      className={classes.figure ?? ""}
                      aria-label={t("group.figure", { field: title })}
                      allowDeselect={false}
                      data={figuresOf(found.get(figure.column)?.field).map((value) => ({
                        value,
                        label: t(`group.figures.${value}`, { field: title }),
                      }))}
                      value={figure.aggregate}
                      onChange={(next) => {
                        const aggregate = aggregates.find((each) => each === next);
                        if (aggregate) changeFigure(index, { ...figure, aggregate });
                      }}
                    />
                  )}
                  {grouping.figures.length > 1 && (
                    <CloseButton
                      size="sm"
                      aria-label={t("group.remove", { field: title })}
                      onClick={() => changeFigure(index, undefined)}
                    />
                  )}
                </span>
              );
            })}
            <FieldPicker
              recordTypeKey={key}
              label={t("group.add_figure")}
              title={undefined}
              offers={figures}
              button={
                <>
                  {addLook}
                  {t("group.add_figure")}
                </>
              }
              onChoose={({ column, field }) =>
                put({
                  figures: [...grouping.figures, { aggregate: figuresOf(field)[0] ?? "sum", column }],
                })
              }
            />
          </div>
        )}
      </div>
      <div className={shared.foot}>
        {grouping.by.length > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onUngroup}>
            {t("group.none")}
          </Button>
        )}
        <CloseButton size="sm" aria-label={t("group.close")} onClick={onClose} />
      </div>
    </section>
  );
}

export const idColumn = ({ recordType }: RecordTypeSchema): string =>
  `${recordType.display_field.split(".")[0] ?? ""}.id`;

/** The usual first; a field that is not known may be a number. */
const figuresOf = (field: SchemaField | undefined): readonly Aggregate[] =>
  fieldTypes[field?.type ?? "decimal"].figures ?? [];
