// A list without rows: why, and the way on.
import { Button, Group, Kbd } from "@mantine/core";
import { IconFilter, IconInbox, IconSearch, IconTable, IconTableImport } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Trans, useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { isDrawn, useImportRows } from "./paste/use-import-rows.ts";
import { usePastedRows } from "./paste/use-pasted-rows.ts";

interface ListEmptyProps {
  readonly search: string | undefined;
  readonly schema: RecordTypeSchema;
  /** Undefined for the view that shows everything. */
  readonly viewName: string | undefined;
  /** Where to add one, where one may. */
  readonly add: { readonly module: string; readonly controller: string } | undefined;
  readonly addLabel: string;
  readonly mayImport: boolean;
  /** Of the columns that it would have. */
  readonly labels: readonly string[];
  readonly clearSearch: () => void;
  /** Where the view's conditions were changed. */
  readonly clearFilter: (() => void) | undefined;
}

export function ListEmpty(props: ListEmptyProps) {
  const { search, schema, viewName, add, addLabel, mayImport, labels, clearSearch, clearFilter } = props;
  const { t } = useTranslation();
  const importRows = useImportRows(schema);
  const offersImport = mayImport && !isDrawn(schema);
  usePastedRows(offersImport, (block) => importRows(block, labels));
  const type = schema.recordType.plural;
  if (search !== undefined) {
    return (
      <EmptyState icon={IconSearch} title={t("list.no_match", { type, search })} text={t("list.no_match_lead")}>
        <Button variant="default" onClick={clearSearch}>
          {t("list.clear_search")}
        </Button>
      </EmptyState>
    );
  }
  if (clearFilter !== undefined) {
    return (
      <EmptyState icon={IconFilter} title={t("list.no_filtered", { type })} text={t("list.no_filtered_lead")}>
        <Button variant="default" onClick={clearFilter}>
          {t("list.clear_filter")}
        </Button>
      </EmptyState>
    );
  }
  const button = add && (
    <Button component={Link} to={`/${add.module}/${add.controller}/add`}>
      {addLabel}
    </Button>
  );
  if (viewName !== undefined) {
    return (
      <EmptyState icon={IconTable} title={t("list.empty_view", { type, viewName })} text={t("list.empty_view_lead")}>
        {button}
      </EmptyState>
    );
  }
  if (add && offersImport) {
    return (
      <EmptyState icon={IconInbox} title={t("list.empty", { type })} text={t("list.empty_import")}>
        <Group gap="xs" justify="center">
          <Button
            component={Link}
            to={`/${add.module}/${add.controller}/import`}
            leftSection={<IconTableImport size={16} stroke={1.6} aria-hidden="true" />}
          >
            {t("list.import", { type })}
          </Button>
          <Button component={Link} to={`/${add.module}/${add.controller}/add`} variant="default">
            {addLabel}
          </Button>
        </Group>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconInbox}
      title={t("list.empty", { type })}
      text={add ? <Trans i18nKey="list.empty_lead" components={{ key: <Kbd size="xs" /> }} /> : t("list.empty_read")}
    >
      {button}
    </EmptyState>
  );
}
