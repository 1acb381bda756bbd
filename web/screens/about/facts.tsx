// The few facts of a record type that are not about one field.
import { useTranslation } from "react-i18next";
import { isOn, type RecordTypeFacts, type SchemaField } from "../../../client/design/record-types.ts";
import classes from "./facts.module.css";

interface FactsProps {
  readonly recordType: RecordTypeFacts;
  readonly fields: readonly SchemaField[];
}

export function Facts({ recordType, fields }: FactsProps) {
  const { t } = useTranslation();
  const { display_field, id_kind, scope, allow_comments, business_key, key } = recordType;
  const displayName = fields.find((field) => field.column_name === display_field)?.label ?? display_field;
  const facts: readonly (readonly [string, string, boolean?])[] = [
    [t("about.key"), `/${key}`, true],
    [t("about.display_field"), displayName],
    [t("about.ids"), t(`about.id_${id_kind}`)],
    [t("about.scope"), t(`about.scope_${scope}`)],
    ...(business_key ? [[t("about.business_key"), `${business_key}…`, true] as const] : []),
    [t("about.comments"), t(isOn(allow_comments) ? "about.comments_on" : "about.comments_off")],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value, code]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-code={code || undefined} dir={code ? "ltr" : undefined}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
