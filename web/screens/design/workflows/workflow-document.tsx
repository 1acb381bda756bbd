// The definition of a workflow as a document: designed where it may be changed, else shown as a picture.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WorkflowDefinition } from "../../../../contract/workflow.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { schemaQuery } from "../../../queries.ts";
import classes from "./workflow.module.css";
import { WorkflowDesigner } from "./workflow-designer.tsx";
import { WorkflowDiagram } from "./workflow-diagram.tsx";
import { readWorkflow, writeWorkflow } from "./workflow-draft.ts";

/** Somewhere to start from, which works as it is: handed in, looked at, accepted or sent back. */
const startOf = (t: TFunction): WorkflowDefinition => ({
  stages: [
    { key: "draft", name: t("workflows.start.draft"), kind: "start", color: "gray", actors: ["owner"] },
    { key: "review", name: t("workflows.start.review"), color: "blue", actors: ["owner_manager"] },
    { key: "done", name: t("workflows.start.done"), kind: "end", color: "green" },
  ],
  transitions: [
    { name: "submit", label: t("workflows.start.submit"), from: "draft", to: "review" },
    { name: "approve", label: t("workflows.start.approve"), from: "review", to: "done", kind: "approve" },
    { name: "reject", label: t("workflows.start.reject"), from: "review", to: "draft", kind: "reject" },
  ],
});

export function WorkflowDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const { t } = useTranslation();
  const schema = useQuery(schemaQuery(recordTypeKey));
  const workflow = readWorkflow(value);
  const isEmpty = value.trim() === "";
  // What was there when the page was opened: records may be in these stages.
  const [storedKeys] = useState(() => new Set(workflow?.stages.map(({ key }) => key)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for one that is not begun
  useEffect(() => {
    if (isEmpty && onChange) onChange(writeWorkflow(startOf(t)));
  }, [isEmpty]);
  if (workflow === undefined) {
    return isEmpty ? <Skeleton h={320} radius="md" /> : <Notice tone="bad">{t("design.unreadable")}</Notice>;
  }
  if (onChange === undefined) {
    return (
      <div className={classes.frame}>
        <WorkflowDiagram workflow={workflow} />
      </div>
    );
  }
  return (
    <Loaded query={schema} skeleton={<Skeleton h={320} radius="md" />}>
      {(known) => (
        <WorkflowDesigner
          schema={known}
          workflow={workflow}
          storedKeys={storedKeys}
          errors={errors}
          onChange={(next) => onChange(writeWorkflow(next))}
        />
      )}
    </Loaded>
  );
}
