// Everything that uses a field, with what becomes of each when the field is removed or gets another type.
import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { FieldUse } from "../../../../../client/design/design.ts";
import classes from "./changes.module.css";

/** Where a use can be opened. */
const places: Readonly<Partial<Record<FieldUse["kind"], string>>> = {
  form: "core/forms",
  workflow: "core/workflows",
  policy: "access_controls/policies",
  webhook: "core/webhooks",
  dashboard: "core/team_dashboards",
};

interface FieldUsesProps {
  readonly uses: readonly FieldUse[];
  /** Left out: only where it is used. */
  readonly change?: Change;
}

type Change = "on_remove" | "on_convert" | "on_rename";

export function FieldUses({ uses, change }: FieldUsesProps) {
  const { t } = useTranslation();
  if (uses.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("design.uses_none")}
      </Text>
    );
  }
  return (
    <ul className={classes.uses}>
      {uses.map((use) => (
        <li key={`${use.kind} ${use.controller} ${use.id ?? use.name}`}>
          <span>
            {use.kind === "other" ? (
              t("design.uses_other", { count: use.count ?? 0 })
            ) : (
              <>
                {t(`design.use_kinds.${use.kind}`)} <UseName use={use} />
                {use.is_pinned === 1 && ` (${t("design.use_pinned")})`}
              </>
            )}
          </span>
          {change && <UseBecomes use={use} change={change} />}
        </li>
      ))}
    </ul>
  );
}

/** That the old name keeps working is said once, of all of them. */
function UseBecomes({ use, change }: { readonly use: FieldUse; readonly change: Change }) {
  const { t, i18n } = useTranslation();
  const { does = [], loses = [] } = use;
  const becomes = use[change];
  if (becomes === "by_alias") return null;
  const list = new Intl.ListFormat(i18n.language);
  const named = becomes === "left_out" ? does : loses;
  const parts = list.format(named.map((part) => t(`design.view_parts.${part}`)));
  const text = becomes === "left_out" && does.length > 0 ? "left_out_parts" : becomes;
  return <span className={classes.becomes}>{t(`design.becomes.${text}`, { parts })}</span>;
}

function UseName({ use: { kind, controller, id, name } }: { readonly use: FieldUse }) {
  const to = kind === "view" ? `/${controller}/index?view=${id}` : `/${places[kind]}/view?id=${id}`;
  if (id === null || (kind !== "view" && places[kind] === undefined)) return <b>{name}</b>;
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to={to} target="_blank" />}>
      {name}
    </Anchor>
  );
}
