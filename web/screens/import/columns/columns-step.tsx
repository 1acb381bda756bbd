// Which column goes where and what is done with records that are there; the first rows as they will become.
import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { OperationFlags, RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { Dialect, FoundFile, ImportSettings } from "../../../../client/records/imports.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { importColumnsQuery } from "../../../queries.ts";
import { applySettings, type Choices, choicesOf, hindrance } from "../choices.ts";
import classes from "../import.module.css";
import type { Change, Kept } from "../kept.ts";
import { useCheck } from "../use-check.ts";
import { ColumnTable } from "./column-table.tsx";
import { Defaults } from "./defaults.tsx";
import { DialectPanel } from "./dialect-panel.tsx";
import { ModeOptions } from "./mode-options.tsx";
import { PreviewRows } from "./preview-rows.tsx";
import { SavedMappings } from "./saved-mappings.tsx";

interface ColumnsStepProps {
  readonly schema: RecordTypeSchema;
  readonly mine: OperationFlags;
  readonly found: FoundFile;
  readonly kept: Kept;
  readonly change: (change: Change) => void;
}

export function ColumnsStep({ schema, mine, found, kept, change }: ColumnsStepProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { key } = schema.recordType;
  const { choices } = kept;
  const check = useCheck(key, kept, found, change);
  // What was checked was another import.
  const choose = (make: (choices: Choices) => Choices): void =>
    change(({ check: _, ...rest }) => ({ ...rest, choices: make(rest.choices) }));
  const reread = useMutation({
    mutationFn: async ({ dialect, settings }: { dialect: Partial<Dialect>; settings?: Partial<ImportSettings> }) => {
      const next = { ...kept.dialect, ...dialect };
      const read = await queryClient.fetchQuery(importColumnsQuery(key, kept.file.id, next));
      const isSame = namesOf(read) === namesOf(found);
      change(({ check: _, ...rest }) => {
        const own = isSame ? rest.choices : { ...choicesOf(read), empty: rest.choices.empty };
        return { ...rest, dialect: next, choices: settings ? applySettings(read, own, settings) : own };
      });
    },
  });
  const mapped = Object.keys(choices.mapping).length;
  const why = hindrance(choices);
  const reading = (
    <>
      <DialectPanel
        dialect={found.dialect}
        isPending={reread.isPending}
        onChange={(dialect) => reread.mutate({ dialect })}
      />
      {reread.error && (
        <Notice tone="bad" title={t("imports.reread_failed")}>
          {reasonsOf(reread.error).join(" ")}
        </Notice>
      )}
    </>
  );
  // All that can be done about it is to read the file in another way.
  if (found.rows.length === 0) {
    return (
      <div className={classes.stack}>
        <Notice tone="bad" title={t("imports.no_rows")}>
          {t("imports.no_rows_lead")}
        </Notice>
        {reading}
      </div>
    );
  }
  return (
    <>
      <Section
        title={t("imports.columns.title")}
        lead={t("imports.columns.mapped", { mapped, count: found.columns.length })}
        action={<SavedMappings kept={kept} recordTypeKey={key} onUse={reread.mutate} />}
      >
        <div className={classes.stack}>
          {reading}
          <ColumnTable {...{ found, choices, choose }} recordTypeKey={key} />
        </div>
      </Section>
      <Section title={t("imports.options.title")}>
        <div className={classes.stack}>
          <ModeOptions {...{ found, choices, choose, mine }} />
          <Defaults {...{ found, choices, choose, schema }} />
        </div>
      </Section>
      <Section title={t("imports.preview.title")} lead={t("imports.preview.lead")}>
        <div className={classes.stack}>
          <PreviewRows {...{ found, choices, schema }} />
          {check.error && (
            <Notice tone="bad" title={t("imports.check.failed")}>
              {reasonsOf(check.error).join(" ")}
            </Notice>
          )}
          {kept.check === undefined && (
            <Group gap="sm">
              <Button onClick={() => check.mutate()} loading={check.isPending} disabled={why !== undefined}>
                {t("imports.check.start")}
              </Button>
              <Text size="sm" c="dimmed">
                {why === undefined ? t("imports.check.lead") : t(`imports.check.${why}`)}
              </Text>
            </Group>
          )}
        </div>
      </Section>
    </>
  );
}

const namesOf = ({ columns }: FoundFile): string => JSON.stringify(columns.map(({ name }) => name));
