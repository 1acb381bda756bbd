// The line above a list: what it is, how many, its views as tabs; search and what can be done.

import { Button, Title } from "@mantine/core";
import { IconPlus, IconTableImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { ListChoice, ListPage } from "../../../client/lists/lists.ts";
import { EXCHANGE_RATES } from "../../../client/records/exchange-rates.ts";
import { isGeneratedView } from "../../../contract/generated-view.ts";
import { useFormats } from "../../fields/formats.ts";
import { type Command, useCommands } from "../../parts/commands/commands.ts";
import { StarButton } from "../../parts/favorites/star-button.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { askQuickAdd } from "../../parts/quick-add.ts";
import { navigationQuery } from "../../queries.ts";
import { ImportRatesButton } from "./import-rates-button.tsx";
import { ListMenu } from "./list-menu.tsx";
import classes from "./list-screen.module.css";
import { ListSearch } from "./list-search.tsx";
import { ViewTabs } from "./views/view-tabs.tsx";

interface ListToolbarProps {
  readonly module: string;
  readonly controller: string;
  readonly schema: RecordTypeSchema;
  readonly head: ListPage | undefined;
  readonly choice: ListChoice;
  readonly mayAdd: boolean;
  readonly mayExport: boolean;
  readonly mayImport: boolean;
  readonly onView: (id: string) => void;
  readonly onNewView: () => void;
  readonly onSearch: (text: string) => void;
}

export const ListToolbar = memo(function ListToolbar(props: ListToolbarProps) {
  const { module, controller, schema, head, choice, mayAdd, mayExport, mayImport, onSearch } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const { recordType } = schema;
  const params = { module, controller };
  const total = head === undefined ? "" : formats.count(head.total);
  // Groups, and figures over all records, are not counted as records.
  const isCounted = head?.group.length === 0 && !head.header.some(({ aggregate }) => aggregate !== undefined);
  const { data: isWork = false } = useQuery({
    ...navigationQuery,
    select: (modules) =>
      modules.some(({ entries }) => entries.some(({ key, section }) => key === recordType.key && section === "work")),
  });
  // How the service is set up is not done in passing.
  const add = (): void =>
    isWork ? askQuickAdd({ recordTypeKey: recordType.key }) : void navigate({ to: "/$module/$controller/add", params });
  useCommands([
    ...(mayImport
      ? [
          {
            id: "list-import",
            label: t("list.import", { type: recordType.plural }),
            group: "list",
            icon: IconTableImport,
            run: () => void navigate({ to: "/$module/$controller/import", params }),
          } satisfies Command,
        ]
      : []),
    ...(mayAdd
      ? [
          {
            id: "list-add",
            label: t("list.add", { label: recordType.label }),
            group: "list",
            keys: "c",
            icon: IconPlus,
            // Where a keyboard would cover half of the screen, the page takes no focus for an input.
            opensInput: !matchMedia("(pointer: coarse)").matches,
            run: add,
          } satisfies Command,
        ]
      : []),
  ]);
  return (
    <div className={classes.toolbar}>
      <div className={classes.title}>
        <NamedIcon name={recordType.icon} size={18} />
        <Title order={1}>{recordType.plural}</Title>
        <span className={classes.count} role="status">
          {isCounted && (head.isExact ? total : t("list.about", { total }))}
        </span>
      </div>
      {head && (
        <ViewTabs
          recordTypeKey={recordType.key}
          current={{ id: head.viewId, name: head.viewName, kind: head.kind }}
          onChoose={props.onView}
          onNew={props.onNewView}
        />
      )}
      {head && !isGeneratedView(head.viewId) && (
        <StarButton
          favorite={{
            controller: "core/listviews",
            id: head.viewId,
            name: head.viewName,
            label: recordType.plural,
            icon: recordType.icon ?? null,
            lists: recordType.key,
          }}
        />
      )}
      <div className={classes.actions}>
        <ListSearch
          key={recordType.key}
          value={choice.search ?? ""}
          label={t("list.search_in", { type: recordType.plural })}
          onSearch={onSearch}
        />
        <ListMenu
          {...{ module, controller, recordType, choice, mayExport, mayImport }}
          view={head && !isGeneratedView(head.viewId) ? { id: head.viewId, name: head.viewName } : undefined}
        />
        {mayImport && recordType.key === EXCHANGE_RATES && <ImportRatesButton />}
        {mayAdd && (
          <Button
            component={Link}
            to={`/${module}/${controller}/add`}
            size="xs"
            leftSection={<IconPlus size={15} stroke={2} aria-hidden="true" />}
            className={classes.add ?? ""}
            onClick={(event: MouseEvent) => {
              if (!isWork || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              add();
            }}
            aria-label={t("list.add", { label: recordType.label })}
          >
            <span>{t("list.new")}</span>
          </Button>
        )}
      </div>
    </div>
  );
});
