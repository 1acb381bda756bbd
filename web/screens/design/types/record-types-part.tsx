// All record types: those made here to be designed, those that are built in with what can be changed of them.
import { ActionIcon, Anchor, Button, Checkbox, Menu, Skeleton, Stack, TextInput } from "@mantine/core";
import {
  IconDots,
  IconForms,
  IconGitBranch,
  IconInfoCircle,
  IconPencil,
  IconPlus,
  IconTable,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesignChoices, ListedType } from "../../../../client/design/design.ts";
import { typesInOrder } from "../../../parts/access/types-in-order.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { NamedIcon } from "../../../parts/layout/icon.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import table from "../../../parts/layout/table.module.css";
import { Tag } from "../../../parts/layout/tag.tsx";
import { navigationQuery } from "../../../queries.ts";
import classes from "../design.module.css";
import { designChoicesQuery } from "../design-queries.ts";
import { RemovedPart } from "./changes/removed-part.tsx";

export function RecordTypesPart() {
  const { t } = useTranslation();
  const query = useQuery(designChoicesQuery);
  const add = query.data?.may_design === 1 && (
    <Button
      component={Link}
      to="/metadata/record_types/add"
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden="true" />}
    >
      {t("design.new_type")}
    </Button>
  );
  return (
    <Section title={t("shell.record_types")} lead={t("design.part_lead")} action={add}>
      <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
        {(choices) => <Types choices={choices} />}
      </Loaded>
    </Section>
  );
}

function Types({ choices }: { readonly choices: DesignChoices }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [hidden, setHidden] = useState(false);
  const wanted = text.trim().toLocaleLowerCase();
  const shown = choices.record_types.filter(
    (type) =>
      (hidden || type.is_hidden === 0 || type.origin === "run-time") &&
      `${type.label} ${type.plural} ${type.key} ${type.module_label}`.toLocaleLowerCase().includes(wanted),
  );
  const made = shown.filter(({ origin }) => origin === "run-time");
  const navigation = useQuery(navigationQuery);
  const builtIn = typesInOrder(
    shown.filter(({ origin }) => origin === "built-in"),
    navigation.data ?? [],
  ).flatMap(({ types }) => types);
  const mayDesign = choices.may_design === 1;
  return (
    <Stack gap="md">
      {!mayDesign && <Notice tone="news">{t("design.operator_note")}</Notice>}
      <TextInput
        aria-label={t("design.find_type")}
        placeholder={t("design.find_type")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {made.length > 0 ? (
        <TypeTable title={t("design.made_here")} types={made} mayDesign={mayDesign} />
      ) : (
        wanted === "" &&
        mayDesign && (
          <EmptyState
            small
            icon={IconTable}
            title={t("design.made_here_none")}
            text={t("design.made_here_none_lead")}
          />
        )
      )}
      {builtIn.length > 0 && <TypeTable title={t("design.built_in")} types={builtIn} mayDesign={mayDesign} />}
      {mayDesign && <RemovedPart />}
      {shown.length === 0 && wanted !== "" && <p className={classes.none}>{t("design.no_type")}</p>}
      <Checkbox
        size="xs"
        label={t("design.show_hidden")}
        checked={hidden}
        onChange={(event) => setHidden(event.currentTarget.checked)}
      />
    </Stack>
  );
}

interface TypeTableProps {
  readonly title: string;
  readonly types: readonly ListedType[];
  readonly mayDesign: boolean;
}

function TypeTable({ title, types, mayDesign }: TypeTableProps) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={title}>
      <table className={`${table.table} ${table.aligned}`}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{t("design.columns.path")}</th>
            <th scope="col">{t("design.columns.fields")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("design.columns.design")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.key}>
              <th scope="row">
                <span className={classes.typeName}>
                  <NamedIcon name={type.icon} />
                  <Anchor
                    size="sm"
                    renderRoot={(props) =>
                      mayDesign && type.may_change === 1 ? (
                        <Link {...props} to="/metadata/record_types/view" search={{ key: type.key }} />
                      ) : (
                        <Link
                          {...props}
                          to="/$module/$controller/about"
                          params={{ module: type.module, controller: type.controller }}
                        />
                      )
                    }
                  >
                    {type.plural}
                  </Anchor>
                  {type.is_hidden === 1 && <Tag>{t("design.hidden_tag")}</Tag>}
                </span>
              </th>
              <td>
                <span className={table.mono}>/{type.key}</span>
              </td>
              <td>{t("design.fields_count", { count: type.field_count })}</td>
              <td data-end>
                <TypeMenu type={type} mayDesign={mayDesign && type.may_change === 1} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function TypeMenu({ type, mayDesign }: { readonly type: ListedType; readonly mayDesign: boolean }) {
  const { t } = useTranslation();
  const about = `/${type.key}/about`;
  return (
    <Menu position="bottom-end" shadow="md" width={200} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("design.field_menu", { name: type.plural })}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayDesign && (
          <Menu.Item
            component={Link}
            to={`/metadata/record_types/view?key=${encodeURIComponent(type.key)}`}
            leftSection={<IconPencil size={16} stroke={1.6} />}
          >
            {t("design.edit_design")}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={about} leftSection={<IconInfoCircle size={16} stroke={1.6} />}>
          {t("design.about_type")}
        </Menu.Item>
        <Menu.Item component={Link} to={`${about}?tab=design`} leftSection={<IconForms size={16} stroke={1.6} />}>
          {t("design.forms")}
        </Menu.Item>
        {type.may_have_workflow === 1 && (
          <Menu.Item component={Link} to={`${about}?tab=design`} leftSection={<IconGitBranch size={16} stroke={1.6} />}>
            {t("design.workflows")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
