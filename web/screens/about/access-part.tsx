// Who may do what: the policy of the records in sentences, and what roles allow as a matrix.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import type { PolicyGrant, WhoMay } from "../../../client/design/record-types.ts";
import { recordRights } from "../../../contract/permissions.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { whoMayQuery } from "../../queries.ts";
import classes from "./access-part.module.css";
import { RoleMatrix } from "./role-matrix.tsx";

export function AccessPart({ recordTypeKey }: { readonly recordTypeKey: string }) {
  const query = useQuery(whoMayQuery(recordTypeKey));
  return (
    <Loaded query={query} skeleton={<AccessSkeleton />}>
      {(whoMay) => <Access whoMay={whoMay} />}
    </Loaded>
  );
}

function Access({ whoMay }: { readonly whoMay: WhoMay }) {
  const { t, i18n } = useTranslation();
  const roleName = (grantee: string): string | undefined => {
    const role = whoMay.roles.find(({ code }) => grantee === `role:${code}`);
    return role && t("grantees.role", { name: role.name });
  };
  const grantees = (grants: readonly PolicyGrant[]): string => {
    if (grants.length === 0) return t("rights.nobody");
    const nameOf = ({ grantee, label }: PolicyGrant): string => {
      switch (grantee) {
        case "owner":
        case "owner_groups":
        case "primary_group":
        case "organization":
        case "everyone":
          return t(`grantees.${grantee}`);
        default:
          return roleName(grantee) ?? (grantee.startsWith("field:") ? t("grantees.field", { name: label }) : label);
      }
    };
    const names = grants.map((grant) =>
      grant.when === undefined
        ? nameOf(grant)
        : t("grantees.when", { who: nameOf(grant), condition: grant.when, interpolation: { escapeValue: false } }),
    );
    return new Intl.ListFormat(i18n.language).format(
      names.map((name, index) => (index === 0 ? name : inSentence(name))),
    );
  };
  return (
    <>
      <Section title={t("about.policy")} lead={t("about.policy_lead")}>
        <ul className={classes.policy}>
          {recordRights.map((right) => (
            <li key={right}>
              <Trans
                i18nKey={`rights.${right}`}
                values={{ who: grantees(whoMay.policy[right] ?? []) }}
                components={{ b: <b /> }}
              />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t("about.roles")} lead={t("about.roles_lead")}>
        <RoleMatrix whoMay={whoMay} />
      </Section>
    </>
  );
}

/** An article or a general word loses its capital inside a sentence; a name keeps it. */
function inSentence(name: string): string {
  return name.replace(/^(The|Everybody|Everyone)\b/, (word) => word.toLowerCase());
}

function AccessSkeleton() {
  return (
    <>
      <Skeleton h={14} w={160} mb={18} />
      {[320, 280, 260, 300].map((width) => (
        <Skeleton key={width} h={11} w={width} my={14} />
      ))}
      <Skeleton h={14} w={140} mt={40} mb={18} />
      <Skeleton h={180} />
    </>
  );
}
