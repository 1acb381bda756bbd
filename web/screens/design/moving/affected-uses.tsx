// What goes on otherwise when its fields are removed or converted, field by field; and whether that is all of it.
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AffectedUse, DesignPlan } from "../../../../client/design/moving.ts";
import changes from "../types/changes/changes.module.css";
import { FieldUses } from "../types/changes/field-uses.tsx";
import classes from "./moving.module.css";

export function AffectedUses({ plan }: { readonly plan: DesignPlan }) {
  const { t } = useTranslation();
  const { uses = [], uses_left_out: more = 0, uses_complete: isComplete = 1 } = plan;
  if (uses.length === 0 && isComplete === 1) return null;
  const nameOf = ({ type, field }: AffectedUse): string => `${type}.${field}`;
  const fields = [...new Set(uses.map(nameOf))];
  return (
    <section className={classes.uses} aria-label={t("moving.uses")}>
      <h3 className={changes.title}>{t("moving.uses")}</h3>
      {fields.map((field) => (
        <div key={field}>
          <Text size="xs" ff="monospace" dir="ltr">
            {field}
          </Text>
          <FieldUses
            change="on_convert"
            uses={uses
              .filter((use) => nameOf(use) === field)
              .map(({ becomes, loses, ...use }) => ({
                ...use,
                ...{ does: loses, loses, on_remove: becomes, on_convert: becomes, on_rename: becomes },
              }))}
          />
        </div>
      ))}
      {isComplete === 0 && (
        <Text size="sm">{more > 0 ? t("moving.uses_more", { count: more }) : t("moving.uses_unchecked")}</Text>
      )}
    </section>
  );
}
