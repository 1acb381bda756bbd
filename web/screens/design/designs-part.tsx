// The forms and workflows of a record type: which of them are used, and the way to design another.
import { Anchor, Button, Skeleton } from "@mantine/core";
import { IconForms, IconGitBranch, IconPlus } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ListedDesign } from "../../../client/design/design.ts";
import type { RecordTypeFacts } from "../../../client/design/record-types.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { Tag } from "../../parts/layout/tag.tsx";
import { client } from "../../session/session.ts";
import classes from "./design.module.css";
import { IndexesPart } from "./indexes-part.tsx";

type Kind = Parameters<typeof client.design.listDesigns>[0];

const designsQuery = (kind: Kind, key: string) =>
  queryOptions({
    // Kept with the lists of their type, and forgotten with them.
    queryKey: ["list", kind, "designs", key],
    queryFn: ({ signal }) => client.design.listDesigns(kind, key, signal),
  });

interface DesignsPartProps {
  readonly recordType: RecordTypeFacts;
  readonly mayHaveWorkflow: boolean;
}

export function DesignsPart({ recordType, mayHaveWorkflow }: DesignsPartProps) {
  return (
    <>
      <Designs kind="core/forms" recordType={recordType} />
      {mayHaveWorkflow && <Designs kind="core/workflows" recordType={recordType} />}
      <IndexesPart recordTypeKey={recordType.key} />
    </>
  );
}

const words = {
  "core/forms": { icon: IconForms, name: "forms" },
  "core/workflows": { icon: IconGitBranch, name: "workflows" },
} as const;

function Designs({ kind, recordType }: { readonly kind: Kind; readonly recordType: RecordTypeFacts }) {
  const { t } = useTranslation();
  const { icon, name } = words[kind];
  const query = useQuery(designsQuery(kind, recordType.key));
  const start = new URLSearchParams({
    controller: recordType.key,
    name: t(`design.${name}_start`, { name: recordType.plural }),
    ...(kind === "core/forms" ? { is_default: "1" } : {}),
  });
  const add = (
    <Button
      component={Link}
      to={`/${kind}/add?${start.toString()}`}
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden="true" />}
    >
      {t(`design.${name}_new`)}
    </Button>
  );
  return (
    <Section title={t(`design.${name}`)} lead={t(`design.${name}_lead`)} action={add}>
      <Loaded query={query} skeleton={<Skeleton h={60} radius="md" />}>
        {(designs) =>
          designs.length === 0 ? (
            <EmptyState small icon={icon} title={t(`design.${name}_none`)} text={t(`design.${name}_none_lead`)} />
          ) : (
            <ul className={classes.list}>
              {designs.map((design) => (
                <DesignLine key={design.id} kind={kind} design={design} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function DesignLine({ kind, design }: { readonly kind: Kind; readonly design: ListedDesign }) {
  const { t } = useTranslation();
  const address = (mode: "view" | "edit"): string => `/${kind}/${mode}?id=${encodeURIComponent(design.id)}`;
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={address("view")} />}>
          {design.name}
        </Anchor>
        {design.isUsed && <Tag tone="good">{t("design.used")}</Tag>}
        {design.version !== undefined && <Tag tone="word">{t("design.version", { version: design.version })}</Tag>}
        <Button
          component={Link}
          to={address("edit")}
          ms="auto"
          size="compact-xs"
          variant="default"
          aria-label={t("design.edit_design_name", { name: design.name })}
        >
          {t("design.edit_design")}
        </Button>
      </div>
    </li>
  );
}
