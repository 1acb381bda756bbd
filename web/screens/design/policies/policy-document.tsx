// The rules of an organization for a record type as a document: chosen where they may be changed, with what they would change; else told.
import { Anchor, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WhoMay } from "../../../../client/design/record-types.ts";
import { recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, Grantee, PolicyEntry } from "../../../../contract/record-type.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { useRecordValue } from "../../../fields/files/record-values.ts";
import { Consequences } from "../../../parts/access/consequences.tsx";
import { RolesLink } from "../../../parts/access/roles-link.tsx";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useTypeLabel } from "../../../parts/use-type-label.ts";
import { schemaQuery, whoMayQuery } from "../../../queries.ts";
import design from "../design.module.css";
import { designChoicesQuery, policyOfQuery } from "../design-queries.ts";
import { choiceFields } from "../types/computed/formula-hints.ts";
import { PolicyEditor, useGrantees } from "./policy-editor.tsx";
import { conditionalOf, grantOf, type NamingField, namingTypes, rightsWithoutRole } from "./policy-entries.ts";

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
  const of = (right: (typeof recordRights)[number]) =>
    (policy[right] ?? []).map(({ grantee, when }): PolicyEntry => {
      // The service names nobody else in a policy.
      const to = grantee as Grantee;
      return when === undefined ? to : { to, when };
    });
  return { read: of("read"), edit: of("edit"), delete: of("delete"), comment: of("comment") };
};

/** Fields of the type that name people. */
function useNamingFields(recordTypeKey: string): readonly NamingField[] {
  const { t } = useTranslation();
  const choices = useQuery(designChoicesQuery);
  const type = choices.data?.record_types.find(({ key }) => key === recordTypeKey);
  const named = (type?.references ?? []).filter(({ to }) => namingTypes.has(to));
  return [
    ...named.map(({ field, label }) => ({ name: field, label: t("grantees.field", { name: label }) })),
    { name: "created_by", label: t("grantees.created_by") },
  ];
}

/** The policy that the record type has already, if it is another one than this; null: there is none. Undefined until that is known. */
function useOtherPolicy(recordTypeKey: string, isChanged: boolean): string | null | undefined {
  const own = useRecordValue("id");
  const { data, isError } = useQuery({ ...policyOfQuery(recordTypeKey), enabled: isChanged });
  if (!isChanged || isError || data === own) return null;
  return data;
}

function OtherPolicy({ recordTypeKey, id }: { readonly recordTypeKey: string; readonly id: string }) {
  const { t } = useTranslation();
  const types = useTypeLabel()(recordTypeKey);
  return (
    <Notice tone="bad" title={t("policies.exists", { types })}>
      {t("policies.exists_lead")}{" "}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link {...props} to={`/access_controls/policies/edit?id=${id}`} />}
      >
        {t("policies.open")}
      </Anchor>
    </Notice>
  );
}

export function PolicyDocument(props: DocumentProps) {
  const other = useOtherPolicy(props.recordTypeKey, props.onChange !== undefined);
  const [begun, setBegun] = useState<Begun>();
  if (other === undefined && props.value.trim() === "") return <Skeleton h={240} radius="md" />;
  if (other) return <OtherPolicy recordTypeKey={props.recordTypeKey} id={other} />;
  return <OwnPolicy {...props} begun={begun} setBegun={setBegun} />;
}

/** The rules that it began with: of another record type they are others, unless somebody has changed them. */
interface Begun {
  readonly recordTypeKey: string;
  readonly rules: string;
}

interface OwnPolicyProps extends DocumentProps {
  readonly begun: Begun | undefined;
  readonly setBegun: (begun: Begun) => void;
}

/** What the policy grants to somebody, and no role but administrators' can do: both must allow it. */
function WithoutRole({ policy, recordTypeKey }: { readonly policy: AccessPolicy; readonly recordTypeKey: string }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(whoMayQuery(recordTypeKey));
  const types = useTypeLabel()(recordTypeKey);
  const missing = data ? rightsWithoutRole(policy, data.roles) : [];
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language, { type: "disjunction" });
  const verbs = list.format(missing.map((right) => t(`policies.no_role_verbs.${right}`)));
  return (
    <Notice tone="news" title={t("policies.no_role", { verbs, types })}>
      {t("policies.no_role_lead")} <RolesLink />
    </Notice>
  );
}

function OwnPolicy({ value, recordTypeKey, errors, onChange, begun, setBegun }: OwnPolicyProps) {
  const { t } = useTranslation();
  const isEmpty = value.trim() === "";
  const isAsBegun = isEmpty || value === begun?.rules;
  const isOfAnother = !isEmpty && isAsBegun && begun?.recordTypeKey !== recordTypeKey;
  const present = useQuery({ ...whoMayQuery(recordTypeKey), enabled: isAsBegun });
  const fields = useNamingFields(recordTypeKey);
  const schema = useQuery({ ...schemaQuery(recordTypeKey), enabled: onChange !== undefined, retry: false });
  const policy = readPolicy(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is something to start from
  useEffect(() => {
    if (!isAsBegun || !onChange) return;
    const rules = present.data ? JSON.stringify(presentRules(present.data)) : "";
    // Until the rules of this type are known, none are saved for it.
    if (rules === "" && !isOfAnother) return;
    if (rules !== "") setBegun({ recordTypeKey, rules });
    if (rules !== value) onChange(rules);
  }, [recordTypeKey, isEmpty, present.data]);
  if (isEmpty || isOfAnother) {
    return present.isError ? (
      <FailureState error={present.error} retry={() => void present.refetch()} />
    ) : (
      <Skeleton h={240} radius="md" />
    );
  }
  if (policy === undefined) return <Notice tone="bad">{t("design.unreadable")}</Notice>;
  if (onChange === undefined) return <Rules policy={policy} fields={fields} />;
  return (
    <div className={design.form}>
      {errors.length > 0 && <Notice tone="bad">{errors.join(" ")}</Notice>}
      <PolicyEditor
        access={policy}
        fields={fields}
        choices={choiceFields(schema.data?.fields ?? [])}
        errorOf={() => undefined}
        onChange={(next) => onChange(JSON.stringify(next))}
      />
      <WithoutRole policy={policy} recordTypeKey={recordTypeKey} />
      <Consequences
        draft={{ kind: "policies", recordType: recordTypeKey, policy: value }}
        isIncomplete={recordRights.some((right) => conditionalOf(policy[right]).some(({ when }) => when.trim() === ""))}
      />
    </div>
  );
}

function Rules({ policy, fields }: { readonly policy: AccessPolicy; readonly fields: readonly NamingField[] }) {
  const { t, i18n } = useTranslation();
  const called = new Map(
    useGrantees(policy, fields).flatMap(({ items }) => items.map(({ value, label }) => [value, label])),
  );
  const nameOf = (entry: PolicyEntry): string => {
    const { to, when } = grantOf(entry);
    const who = called.get(to) ?? to;
    return when === undefined
      ? who
      : t("grantees.when", { who, condition: when, interpolation: { escapeValue: false } });
  };
  const names = (list: readonly PolicyEntry[]): string =>
    list.length === 0 ? t("rights.nobody") : new Intl.ListFormat(i18n.language).format(list.map(nameOf));
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
