// Who may do what with the records of a type, unless an organization has rules of its own.
import { useTranslation } from "react-i18next";
import { Section } from "../../../parts/layout/section.tsx";
import classes from "../design.module.css";
import { PolicyEditor } from "../policies/policy-editor.tsx";
import { namingTypes } from "../policies/policy-entries.ts";
import { choiceFields } from "./computed/formula-hints.ts";
import type { PartProps } from "./type-parts.ts";

export function AccessPart({ draft, change, errors }: PartProps) {
  const { t } = useTranslation();
  const fields = draft.fields.flatMap(({ name, label, settings }) =>
    namingTypes.has(String(settings?.to)) ? [{ name, label: t("grantees.field", { name: label || name }) }] : [],
  );
  return (
    <Section title={t("design.parts.access")} lead={t("design.access_lead")}>
      <PolicyEditor
        access={draft.access}
        fields={[...fields, { name: "created_by", label: t("grantees.created_by") }]}
        choices={choiceFields(draft.fields)}
        errorOf={(right) => errors.get(`access.${right}`)}
        onChange={(access) => change({ ...draft, access })}
      />
      <p className={classes.help}>{t("design.access_note")}</p>
    </Section>
  );
}
