// Of a document (a form, a workflow, an access policy), what is other than it was: its parts by the words that its designer has for them.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { recordRights } from "../../../contract/permissions.ts";
import { documentChanges, type WordFor } from "../../fields/files/document-changes.ts";
import { schemaQuery } from "../../queries.ts";

interface DocumentPartsProps {
  readonly before: string;
  readonly after: string;
  readonly recordTypeKey: string;
}

const kinds = ["added", "removed", "changed", "moved"] as const;

export function DocumentParts({ before, after, recordTypeKey }: DocumentPartsProps) {
  const { t, i18n } = useTranslation();
  const wordFor = useWords(recordTypeKey);
  if (wordFor === undefined) return <Skeleton h={20} miw={120} radius="sm" />;
  const changes = documentChanges(before, after, wordFor);
  if (changes.isOther) return t("record.part_other");
  const told = kinds.filter((kind) => changes[kind].length > 0);
  if (told.length === 0) return t("record.part_same");
  const names = (kind: (typeof kinds)[number]): string => new Intl.ListFormat(i18n.language).format(changes[kind]);
  return told.map((kind) => <div key={kind}>{t(`record.part_${kind}`, { names: names(kind) })}</div>);
}

/** Undefined until it is known what fields are called. */
function useWords(recordTypeKey: string): WordFor | undefined {
  const { t } = useTranslation();
  const { data: schema, isLoading } = useQuery({ ...schemaQuery(recordTypeKey), enabled: recordTypeKey !== "" });
  if (isLoading) return undefined;
  const parts = schema ? [...schema.fields, ...schema.hasMany, ...schema.hasManyThrough] : [];
  const settings = new Map<string, string>([
    ...recordRights.map((right) => [right, t(`design.may.${right}`)] as const),
    ["permission", t("forms.level")],
    ["roles", t("forms.by_role")],
    ["stage_field", t("workflows.stage_field")],
  ]);
  return (kind, name) => {
    if (kind === "unnamed") return t("forms.unnamed");
    if (kind === "setting") return settings.get(name) ?? name;
    return parts.find((one) => one.name === name)?.label ?? name;
  };
}
