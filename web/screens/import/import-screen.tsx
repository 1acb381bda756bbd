// Import: a file becomes records of one type, in four steps on one page. Leaving and coming back keeps the file and what was
// chosen. Nothing is written before the last step.
import { Button, Skeleton } from "@mantine/core";
import { IconError404, IconLock } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { isOn, type OperationFlags, type RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { FoundFile } from "../../../client/records/imports.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { importColumnsQuery, schemaQuery, whoMayQuery } from "../../queries.ts";
import { useHeldPlace } from "../../session/held-place.ts";
import { handedRows } from "../list/paste/rows-file.ts";
import { CheckStep } from "./check/check-step.tsx";
import { choicesOf, fits } from "./choices.ts";
import { ColumnsStep } from "./columns/columns-step.tsx";
import { FileStep } from "./file-step.tsx";
import classes from "./import.module.css";
import { useKept } from "./kept.ts";
import { RunStep } from "./run-step.tsx";
import { type StepName, Steps } from "./steps.tsx";

export function ImportScreen() {
  const { t } = useTranslation();
  const { module, controller } = useParams({ from: "/inside/$module/$controller/import" });
  const key = `${module}/${controller}`;
  const schema = useQuery(schemaQuery(key));
  const { data: mine, isPending } = useQuery({ ...whoMayQuery(key), select: (who) => who.mine });
  const plural = schema.data?.recordType.plural;
  usePageTitle(plural && t("imports.title", { type: plural }));
  return (
    <Loaded
      query={schema}
      skeleton={<ImportSkeleton />}
      notFound={
        <EmptyState icon={IconError404} title={t("states.no_type", { type: key })} text={t("states.not_found_lead")} />
      }
    >
      {(found) =>
        isPending ? (
          <ImportSkeleton />
        ) : isOn(mine?.import) && mine ? (
          <Import key={key} schema={found} mine={mine} />
        ) : (
          <EmptyState
            icon={IconLock}
            title={t("imports.not_allowed", { type: found.recordType.plural })}
            text={t("imports.not_allowed_lead")}
          >
            <Button component={Link} to={`/${key}/index`} variant="default">
              {t("imports.view", { type: found.recordType.plural })}
            </Button>
          </EmptyState>
        )
      }
    </Loaded>
  );
}

interface ImportProps {
  readonly schema: RecordTypeSchema;
  readonly mine: OperationFlags;
}

function Import({ schema, mine }: ImportProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { key, plural, icon } = schema.recordType;
  const { kept, begin, change } = useKept(key);
  const found = useQuery({
    ...importColumnsQuery(key, kept?.file.id ?? "", kept?.dialect ?? {}),
    enabled: kept !== undefined && kept.run === undefined,
  });
  // What was pasted into the list begins a new import.
  const beginAnew = useEffectEvent(() => {
    if (handedRows(key)) begin(undefined);
  });
  useEffect(() => beginAnew(), []);
  useHeldPlace(kept !== undefined && kept.run === undefined);
  const step: StepName = kept === undefined ? "file" : kept.run ? "run" : kept.check ? "check" : "columns";
  // Files are kept for a day; what was chosen for one that is gone fits the same file again.
  const isGone = found.error instanceof WireFailure && found.error.status === 400;
  const take = (file: FoundFile): void => {
    queryClient.setQueryData(importColumnsQuery(key, file.file.id, {}).queryKey, file);
    const choices = kept && fits(kept.choices, file) ? kept.choices : firstChoices(file, mine);
    begin({ file: file.file, dialect: {}, choices });
  };
  return (
    <div className={classes.page}>
      <PageHead title={t("imports.title", { type: plural })} icon={<NamedIcon name={icon} size={20} />} />
      <Steps current={step} />
      {kept?.run !== undefined ? (
        <RunStep
          schema={schema}
          jobId={kept.run}
          onOver={() => change((now) => ({ ...now, isOver: true }))}
          onBack={() => change(({ run: _, isOver: __, ...rest }) => rest)}
          onAgain={() => begin(undefined)}
        />
      ) : (
        <>
          {isGone && <Notice tone="bad">{t("imports.expired")}</Notice>}
          <FileStep
            recordTypeKey={key}
            file={isGone ? undefined : kept?.file}
            plural={plural}
            onFound={take}
            onRemove={() => begin(undefined)}
          />
          {kept && !isGone && (
            <Loaded query={found} skeleton={<Skeleton h={280} radius="md" />}>
              {(file) => (
                <>
                  <ColumnsStep {...{ schema, mine, kept, change }} found={file} />
                  <CheckStep {...{ schema, kept, change }} found={file} />
                </>
              )}
            </Loaded>
          )}
        </>
      )}
    </div>
  );
}

/** What is proposed, as far as the caller's role allows it. */
function firstChoices(file: FoundFile, mine: OperationFlags) {
  const choices = choicesOf(file);
  const [add, edit] = [isOn(mine.add), isOn(mine.edit)];
  if (choices.mode === "upsert" && !(add && edit))
    return { ...choices, mode: add ? ("add" as const) : ("update" as const) };
  return choices;
}

const ImportSkeleton = () => (
  <div className={classes.page}>
    <Skeleton h={40} w={280} mb={24} />
    <Skeleton h={180} radius="md" />
  </div>
);
