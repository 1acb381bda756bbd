// What a record type is connected to: the records it names, and those that name it.
import { Text } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaAssociation } from "../../../client/design/record-types.ts";
import { readMenuUrl } from "../../../client/transport/address.ts";
import { Section } from "../../parts/layout/section.tsx";
import table from "../../parts/layout/table.module.css";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import classes from "./connections-part.module.css";

export function ConnectionsPart({ schema }: { readonly schema: RecordTypeSchema }) {
  const { t } = useTranslation();
  const { label } = schema.recordType;
  return (
    <>
      <Section title={t("about.belongs_to")} lead={t("about.belongs_to_lead", { label })}>
        <Associations
          associations={schema.belongsTo}
          none={t("about.no_belongs_to")}
          icon={<IconArrowUpRight size={15} stroke={1.6} aria-hidden="true" />}
        />
      </Section>
      <Section title={t("about.has_many")} lead={t("about.has_many_lead", { label })}>
        <Associations
          associations={schema.hasMany}
          none={t("about.no_has_many")}
          icon={<IconArrowDownRight size={15} stroke={1.6} aria-hidden="true" />}
        />
      </Section>
    </>
  );
}

interface AssociationsProps {
  readonly associations: readonly SchemaAssociation[];
  readonly none: string;
  readonly icon: ReactNode;
}

function Associations({ associations, none, icon }: AssociationsProps) {
  if (associations.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {associations.map((association) => (
        <li key={association.name} className={classes.row}>
          {icon}
          <AssociationWords association={association} />
        </li>
      ))}
    </ul>
  );
}

function AssociationWords({ association }: { readonly association: SchemaAssociation }) {
  const { t } = useTranslation();
  const typeLabel = useTypeLabel();
  const target = association.type ? readMenuUrl(association.type) : undefined;
  return (
    <>
      <span className={classes.label}>{association.label}</span>
      {target ? (
        <Link
          to="/$module/$controller/about"
          params={{ module: target.module, controller: target.controller }}
          className={classes.link}
        >
          {typeLabel(`${target.module}/${target.controller}`)}
        </Link>
      ) : (
        <span className={classes.dim}>{t("about.any_type")}</span>
      )}
      {association.via && (
        <span className={classes.via}>
          {t("about.via", { field: "" })}
          <code className={table.mono}>{association.via}</code>
        </span>
      )}
    </>
  );
}
