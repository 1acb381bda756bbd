// "Group": puts the rows of a list in sections by a field, or opens what sums them up in a table of groups.
import { CloseButton, Popover, Select, UnstyledButton } from "@mantine/core";
import { IconStack2, IconTableMinus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import classes from "../list-tools.module.css";
import { sectionBy, withSections } from "../sections/sections.ts";
import type { ViewDraft } from "../views/use-view-draft.ts";
import { type GroupBy, isGroupable, newGroup, periods } from "./grouping.ts";

interface GroupControlProps {
  readonly schema: RecordTypeSchema;
  readonly draft: ViewDraft;
  /** Whether the panel that sums up is open. */
  readonly isSummary: boolean;
  readonly onSummary: () => void;
}

export function GroupControl({ schema, draft, isSummary, onSummary }: GroupControlProps) {
  const { t } = useTranslation();
  const { key } = schema.recordType;
  const by = sectionBy(draft.query);
  const levels = draft.query.group?.length ?? 0;
  const found = useFoundFields(key, by ? [by.column] : []).get(by?.column ?? "");
  const title = found ? fieldTitle(found) : (by?.column ?? "");
  const put = (next: GroupBy | undefined): void => draft.change((query) => withSections(query, next));
  const face = (label: string, mark: string | undefined, open?: boolean) => ({
    className: classes.tool ?? "",
    "aria-label": label,
    "data-on": mark !== undefined || undefined,
    disabled: !draft.isReady,
    ...(open === undefined ? {} : { "aria-expanded": open }),
    children: (
      <>
        <IconStack2 size={15} stroke={1.6} aria-hidden="true" />
        <span>{mark ?? t("group.button")}</span>
      </>
    ),
  });
  // A summary is changed in its panel.
  if (levels > 0 || isSummary) {
    const label = levels === 0 ? t("group.button") : t("group.button_on", { count: levels });
    return <UnstyledButton {...face(label, levels === 0 ? undefined : label, isSummary)} onClick={onSummary} />;
  }
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          {...face(by ? t("sections.by", { field: title }) : t("group.button"), by ? title : undefined)}
        />
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <p className={classes.caption}>{t("sections.lead")}</p>
        <div className={classes.grouping}>
          <FieldPicker
            recordTypeKey={key}
            label={t("group.field")}
            title={by ? title : undefined}
            offers={isGroupable}
            withinPortal={false}
            onChoose={({ column, field }: { column: string; field: SchemaField }) => put(newGroup(column, field))}
          />
          {by && found && fieldTypes[found.field.type].days !== undefined && (
            <Select
              size="xs"
              aria-label={t("group.period", { field: title })}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              data={periods.map((value) => ({ value, label: t(`group.periods.${value}`) }))}
              value={by.period ?? null}
              onChange={(next) => {
                const period = periods.find((each) => each === next);
                put({ column: by.column, ...(period ? { period } : {}) });
              }}
            />
          )}
          {by && <CloseButton size="sm" aria-label={t("group.none")} onClick={() => put(undefined)} />}
        </div>
        <UnstyledButton className={classes.summary ?? ""} onClick={onSummary}>
          <IconTableMinus size={15} stroke={1.6} aria-hidden="true" />
          {t("sections.summary")}
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  );
}
