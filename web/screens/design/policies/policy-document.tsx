// The rules of an organization for a record type as a document: chosen where they may be changed, else told.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { WhoMay } from "../../../../client/design/record-types.ts";
import { recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, Grantee } from "../../../../contract/record-type.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { whoMayQuery } from "../../../queries.ts";
import design from "../design.module.css";
import { PolicyEditor, useGrantees } from "./policy-editor.tsx";

function readPolicy(text: string): AccessPolicy | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isPolicy =
      typeof parsed === "object" &&
      parsed !== null &&
      recordRights.every((right) => Array.isArray((parsed as Partial<Record<string, unknown>>)[right]));
    return isPolicy ? (parsed as AccessPolicy) : undefined;
  } catch {
    return undefined;
  }
}

/** The rules that hold now. */
const presentRules = ({ policy }: WhoMay): AccessPolicy => {
  // The service names nobody else in a policy.
  const of = (right: (typeof recordRights)[number]) => (policy[right] ?? []).map(({ grantee }) => grantee as Grantee);
  return { read: of("read"), edit: of("edit"), delete: of("delete"), comment: of("comment") };
};

export function PolicyDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const { t } = useTranslation();
  const isEmpty = value.trim() === "";
  const present = useQuery({ ...whoMayQuery(recordTypeKey), enabled: isEmpty });
  const policy = readPolicy(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is something to start from
  useEffect(() => {
    if (isEmpty && onChange && present.data) onChange(JSON.stringify(presentRules(present.data)));
  }, [isEmpty, present.data]);
  if (policy === undefined) {
    return isEmpty ? <Skeleton h={240} radius="md" /> : <Notice tone="bad">{t("design.unreadable")}</Notice>;
  }
  if (onChange === undefined) return <Rules policy={policy} />;
  return (
    <>
      {errors.length > 0 && <Notice tone="bad">{errors.join(" ")}</Notice>}
      <PolicyEditor access={policy} errorOf={() => undefined} onChange={(next) => onChange(JSON.stringify(next))} />
    </>
  );
}

function Rules({ policy }: { readonly policy: AccessPolicy }) {
  const { t, i18n } = useTranslation();
  const called = new Map(useGrantees(policy).flatMap(({ items }) => items.map(({ value, label }) => [value, label])));
  const names = (list: readonly string[]): string =>
    list.length === 0
      ? t("rights.nobody")
      : new Intl.ListFormat(i18n.language).format(list.map((one) => called.get(one) ?? one));
  return (
    <ul className={design.list}>
      {recordRights.map((right) => (
        <li key={right}>
          <b>{t(`design.may.${right}`)}:</b> {names(policy[right])}
        </li>
      ))}
    </ul>
  );
}
