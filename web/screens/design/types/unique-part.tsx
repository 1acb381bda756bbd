// Fields that no two records may have all the same values in, as many sets of them as are wanted. Those of one field stand at the field.
import { ActionIcon, Button, MultiSelect } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Section } from "../../../parts/layout/section.tsx";
import classes from "../design.module.css";
import type { PartProps } from "./type-parts.ts";

export function UniquePart({ draft, change, errors, choices }: PartProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const sets = draft.unique ?? [];
  const shipped = new Set((draft.shipped?.unique ?? []).map((set) => JSON.stringify(set)));
  const mayBeUnique = new Set(choices.field_types.flatMap(({ id, may_be_unique }) => (may_be_unique ? [id] : [])));
  const named = new Set(sets.flat());
  const data = draft.fields
    .filter(({ name, type, computed }) => name !== "" && (named.has(name) || (mayBeUnique.has(type) && !computed)))
    .map(({ name, label }) => ({ value: name, label: label || name }));
  const put = (next: readonly (readonly string[])[]): void => change({ ...draft, unique: next });
  const add = (): void => {
    // At once: whoever adds one goes on in it.
    flushSync(() => put([...sets, []]));
    list.current?.querySelector<HTMLInputElement>("li:last-child input:not([type=hidden])")?.focus();
  };
  return (
    <Section title={t("design.unique_sets")} lead={t("design.unique_sets_lead")}>
      <ul className={classes.list} ref={list}>
        {sets.map((set, index) => {
          const isShipped = shipped.has(JSON.stringify(set));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: combinations have no name of their own, and are not moved
            <li key={index} className={classes.cardHead}>
              <MultiSelect
                flex={1}
                aria-label={t("design.unique_set", { place: index + 1 })}
                searchable
                selectFirstOptionOnChange
                disabled={isShipped}
                data={data}
                value={[...set]}
                data-path={`unique.${index}`}
                error={errors.get(`unique.${index}`)}
                onChange={(names) => put(sets.map((one, at) => (at === index ? names : one)))}
              />
              {!isShipped && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("design.unique_set_remove", { place: index + 1 })}
                  onClick={() => put(sets.filter((_, at) => at !== index))}
                >
                  <IconTrash size={16} stroke={1.6} />
                </ActionIcon>
              )}
            </li>
          );
        })}
      </ul>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        data-path="unique unique/indexes"
        leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
        onClick={add}
      >
        {t("design.unique_set_add")}
      </Button>
    </Section>
  );
}
