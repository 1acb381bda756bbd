// Which columns a list shows: a searchable list of the type's fields to tick, and fields by way of other records.
import { Checkbox, Popover, ScrollArea, TextInput, UnstyledButton } from "@mantine/core";
import { IconColumns3, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "../../../client/lists.ts";
import type { RecordTypeSchema } from "../../../client/record-types.ts";
import { FieldPicker } from "../../fields/field-picker.tsx";
import { hideColumn, showColumn } from "./column-changes.ts";
import classes from "./list-tools.module.css";
import type { ViewDraft } from "./use-view-draft.ts";

interface ColumnsButtonProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage;
  readonly draft: ViewDraft;
}

export function ColumnsButton({ schema, head, draft }: ColumnsButtonProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const shown = head.header.filter(({ visible }) => visible !== 0);
  const others = schema.fields.filter(({ column_name: name }) => !shown.some((each) => each.column_name === name));
  const wanted = search.trim().toLocaleLowerCase();
  const matches = ({ label }: { readonly label: string }): boolean => label.toLocaleLowerCase().includes(wanted);
  const [here, away] = [shown.filter(matches), others.filter(matches)];
  return (
    <Popover position="bottom-end" width={272} shadow="md" onDismiss={() => setSearch("")} trapFocus>
      <Popover.Target>
        <UnstyledButton className={classes.tool ?? ""} disabled={!draft.isReady} aria-label={t("columns.button")}>
          <IconColumns3 size={15} stroke={1.6} aria-hidden="true" />
          <span>{t("columns.button")}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t("columns.button")}>
        <TextInput
          size="xs"
          data-autofocus
          value={search}
          aria-label={t("columns.search")}
          placeholder={t("columns.search")}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <ScrollArea.Autosize mah="46dvh" type="auto" mt={6} viewportProps={{ tabIndex: 0, role: "group" }}>
          {here.length > 0 && <p className={classes.caption}>{t("columns.shown")}</p>}
          {here.map(({ expression, label }) => (
            <Checkbox
              key={expression}
              size="xs"
              classNames={{ root: classes.tick ?? "" }}
              checked
              disabled={shown.length === 1}
              label={label}
              onChange={() => draft.change((query) => hideColumn(query, head.header, expression))}
            />
          ))}
          {away.length > 0 && <p className={classes.caption}>{t("columns.others")}</p>}
          {away.map(({ column_name: name, label }) => (
            <Checkbox
              key={name}
              size="xs"
              classNames={{ root: classes.tick ?? "" }}
              checked={false}
              label={label}
              onChange={() => draft.change((query) => showColumn(query, head.header, name))}
            />
          ))}
          {here.length + away.length === 0 && <p className={classes.caption}>{t("columns.none")}</p>}
        </ScrollArea.Autosize>
        <FieldPicker
          recordTypeKey={schema.recordType.key}
          label={t("columns.through")}
          title={undefined}
          withinPortal={false}
          button={
            <>
              <IconPlus size={14} stroke={1.8} aria-hidden="true" />
              {t("columns.through")}
            </>
          }
          onChoose={({ column }) => draft.change((query) => showColumn(query, head.header, column))}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
