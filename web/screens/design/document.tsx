// A document of a known kind (a form, a workflow, an access policy, a condition): designed, or as JSON text for those who know it; or only shown.
import { Button, Text, Textarea } from "@mantine/core";
import { IconCode, IconForms } from "@tabler/icons-react";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentKind, DocumentProps } from "../../fields/files/document-tools.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { isShownWhole } from "./conditions/where.ts";
import { WhereDocument, WhereNames } from "./conditions/where-document.tsx";
import classes from "./design.module.css";
import { FormDocument } from "./forms/form-document.tsx";
import { PolicyDocument } from "./policies/policy-document.tsx";
import { WorkflowDocument } from "./workflows/workflow-document.tsx";

const designers: Readonly<Record<DocumentKind, ComponentType<DocumentProps>>> = {
  form: FormDocument,
  workflow: WorkflowDocument,
  policy: PolicyDocument,
  where: WhereDocument,
};

export function Document(props: DocumentProps) {
  const { t } = useTranslation();
  const { kind, value, recordTypeKey, errors, onChange } = props;
  const [asText, setText] = useState(false);
  const isOnlyText = kind === "where" && !isShownWhole(value);
  const isText = asText || isOnlyText;
  const Designer = designers[kind];
  if (recordTypeKey === "") {
    return kind === "where" ? (
      <Text size="sm" c="dimmed">
        {t("design.no_record_type")}
      </Text>
    ) : (
      <EmptyState small icon={IconForms} title={t("design.no_record_type")} text={t("design.no_record_type_lead")} />
    );
  }
  return (
    <div className={classes.document}>
      {isText && kind === "where" && <WhereNames {...props} />}
      {isText ? (
        <Textarea
          autosize
          minRows={8}
          maxRows={30}
          readOnly={onChange === undefined}
          aria-label={t("design.json")}
          description={isOnlyText ? t("design.only_json") : undefined}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.75rem" } }}
          value={pretty(value)}
          error={errors.length > 0 ? errors.join(" ") : undefined}
          onChange={(event) => {
            // As soon as all of it can be built, it would go from under the hands.
            setText(true);
            onChange?.(event.currentTarget.value);
          }}
        />
      ) : (
        <Designer {...props} />
      )}
      {!isOnlyText && (
        <Button
          mt="xs"
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconCode size={14} aria-hidden="true" />}
          onClick={() => setText(!isText)}
        >
          {t(isText ? "design.as_design" : "design.as_json")}
        </Button>
      )}
    </div>
  );
}

/** As it comes from the database it is one line. */
function pretty(text: string): string {
  if (text.includes("\n")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
