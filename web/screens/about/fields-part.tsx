// The fields of a record type as a table, with a filter over label, name and type.
import { CloseButton, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { readMenuUrl } from "../../../client/transport/address.ts";
import { fieldTypes } from "../../fields/index.ts";
import table from "../../parts/layout/table.module.css";
import { Tag } from "../../parts/layout/tag.tsx";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import { fieldProperties, matchesText } from "./field-facts.ts";
import classes from "./fields-part.module.css";

export function FieldsPart({ fields }: { readonly fields: readonly SchemaField[] }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const shown = fields.filter((field) => matchesText(text, [field.label, field.name, t(`field_types.${field.type}`)]));
  const system = shown.filter((field) => field.system);
  return (
    <>
      <div className={classes.bar}>
        <TextInput
          aria-label={t("about.filter")}
          placeholder={t("about.filter")}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && setText("")}
          rightSection={
            text !== "" && <CloseButton size="sm" aria-label={t("actions.clear")} onClick={() => setText("")} />
          }
          className={classes.filter ?? ""}
        />
        <Text size="sm" c="dimmed" role="status">
          {t("about.shown", { shown: shown.length, total: fields.length })}
        </Text>
      </div>
      <div className={classes.frame}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t("about.column_field")}</th>
              <th scope="col" className={classes.wide}>
                {t("about.column_name")}
              </th>
              <th scope="col" className={classes.wide}>
                {t("about.column_type")}
              </th>
              <th scope="col" className={classes.wide}>
                {t("about.column_flags")}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown
              .filter((field) => !field.system)
              .map((field) => (
                <FieldRow key={field.name} field={field} />
              ))}
            {shown.length === 0 && (
              <tr>
                <td colSpan={4} className={classes.none}>
                  {t("about.filter_none", { text })}
                </td>
              </tr>
            )}
          </tbody>
          {system.length > 0 && (
            <tbody>
              <tr>
                <th scope="rowgroup" colSpan={4} className={classes.group}>
                  {t("about.system")}
                </th>
              </tr>
              {system.map((field) => (
                <FieldRow key={field.name} field={field} />
              ))}
            </tbody>
          )}
        </table>
      </div>
    </>
  );
}

function FieldRow({ field }: { readonly field: SchemaField }) {
  const { t } = useTranslation();
  const tags = fieldProperties(field).map((property) => (
    <Tag key={property} tone={property === "required" ? "strong" : "word"}>
      {t(`about.flag_${property}`)}
    </Tag>
  ));
  const type = (
    <span>
      {t(`field_types.${field.type}`)} <TypeDetail field={field} />
    </span>
  );
  return (
    <tr>
      <th scope="row">
        {field.label}
        {field.help && <div className={classes.help}>{field.help}</div>}
        <div className={classes.narrow}>
          <code className={table.mono}>{field.name}</code>
          {type}
        </div>
        <div className={classes.narrow}>{tags}</div>
      </th>
      <td className={classes.wide}>
        <code className={table.mono}>{field.name}</code>
      </td>
      <td className={classes.wide}>{type}</td>
      <td className={classes.wide}>
        <span className={classes.tags}>{tags}</span>
      </td>
    </tr>
  );
}

function TypeDetail({ field }: { readonly field: SchemaField }) {
  const { t } = useTranslation();
  const typeLabel = useTypeLabel();
  const target = field.to ? readMenuUrl(field.to) : undefined;
  if (target) {
    const { module, controller } = target;
    return (
      <Link to="/$module/$controller/about" params={{ module, controller }} className={classes.link}>
        {t("about.points_to", { type: typeLabel(`${module}/${controller}`) })}
      </Link>
    );
  }
  if (field.options && field.options.length > 0) {
    return (
      <span className={classes.detail} title={field.options.map((option) => option.label).join(", ")}>
        {t("about.options", { count: field.options.length })}
      </span>
    );
  }
  const length = Number(field.length ?? 0);
  if (!fieldTypes[field.type].isText || length === 0) return null;
  return <span className={classes.detail}>{t("about.characters", { count: length })}</span>;
}
