// Which columns a list shows: a searchable list of the type's fields to tick, and fields by way of other records. A tick
// shows at once, and what is unticked stays where it is until the list is opened again.
import { Checkbox, Popover, ScrollArea, TextInput, UnstyledButton } from "@mantine/core";
import { IconColumns3, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListPage } from "../../../../client/lists/lists.ts";
import { fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import classes from "../list-tools.module.css";
import type { ViewDraft } from "../views/use-view-draft.ts";
import { hideColumn, showColumn } from "./column-changes.ts";
import { expectedHeader } from "./expected-header.ts";

interface ColumnsButtonProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage;
  readonly draft: ViewDraft;
}

interface Offered {
  readonly name: string;
  readonly expression: string;
  readonly label: string;
}

export function ColumnsButton({ schema, head, draft }: ColumnsButtonProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  /** As they were when the list was opened, and what came to them since. */
  const [listed, setListed] = useState<readonly Offered[]>([]);
  const shown = expectedHeader(draft.query, head.header).filter(({ visible }) => visible !== 0);
  const labelOf = (name: string): string | undefined =>
    (listed.find((each) => each.name === name) ?? schema.fields.find((each) => each.column_name === name))?.label;
  const here = shown.map(
    ({ column_name: name, expression, label }): Offered => ({
      name,
      expression,
      label: label ?? labelOf(name) ?? name,
    }),
  );
  const isListed = (name: string): boolean => listed.some((each) => each.name === name);
  const fields = schema.fields.map(({ column_name: name, label }): Offered => ({ name, expression: name, label }));
  const isField = (name: string): boolean => fields.some((each) => each.name === name);
  const others = fields.filter(({ name }) => !isListed(name));
  const wanted = search.trim().toLocaleLowerCase();
  const matches = ({ label }: Offered): boolean => label.toLocaleLowerCase().includes(wanted);
  const set = ({ name, expression }: Offered, on: boolean): void =>
    draft.change((query) => {
      const header = expectedHeader(query, head.header);
      const now = header.find((each) => each.column_name === name)?.expression ?? expression;
      return on ? showColumn(query, header, name) : hideColumn(query, header, now);
    });
  const tick = (column: Offered) => {
    const checked = here.some(({ name }) => name === column.name);
    return (
      <Checkbox
        key={column.name}
        size="xs"
        classNames={{ root: classes.tick ?? "" }}
        checked={checked}
        disabled={checked && here.length === 1}
        label={column.label}
        onChange={() => set(column, !checked)}
      />
    );
  };
  const top = [...listed, ...here.filter(({ name }) => !isListed(name) && !isField(name))].filter(matches);
  const rest = others.filter(matches);
  return (
    <Popover
      position="bottom-end"
      width={272}
      shadow="md"
      onOpen={() => setListed(here)}
      onDismiss={() => setSearch("")}
      trapFocus
    >
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
          {top.length > 0 && <p className={classes.caption}>{t("columns.shown")}</p>}
          {top.map(tick)}
          {rest.length > 0 && <p className={classes.caption}>{t("columns.others")}</p>}
          {rest.map(tick)}
          {top.length + rest.length === 0 && <p className={classes.caption}>{t("columns.none")}</p>}
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
          onChoose={(found) => {
            const added = { name: found.column, expression: found.column, label: fieldTitle(found) };
            setListed([...listed.filter(({ name }) => name !== found.column), added]);
            set(added, true);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
