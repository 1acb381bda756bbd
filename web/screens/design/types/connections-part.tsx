// What is attached to the records of a type: records of other types that refer to them, and things that any record can have.
import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import { IconLink, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AssociationDefinition } from "../../../../contract/record-type.ts";
import { freeName } from "../../../fields/design/option-rows.ts";
import { RecordTypePicker } from "../../../fields/design/record-type-picker.tsx";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import classes from "../design.module.css";
import { ownName } from "./type-draft.ts";
import type { PartProps } from "./type-parts.ts";

type HasMany = Extract<AssociationDefinition, { kind: "has-many" }>;

/** Comments are a choice of their own, and so is with whom a record is shared. */
const choicesOfTheirOwn = new Set(["core/comments", "access_controls/shares"]);

export function ConnectionsPart({ draft, change, errors, choices, isNew }: PartProps) {
  const { t } = useTranslation();
  const key = `${draft.module}/${draft.controller}`;
  const associations = draft.associations ?? [];
  /** The one that was added last: its heading is typed next. */
  const [added, setAdded] = useState<string>();
  const put = (next: readonly AssociationDefinition[]): void => change({ ...draft, associations: next });
  const replace = (name: string, next: AssociationDefinition | undefined): void =>
    put(associations.flatMap((one) => (one.name === name ? (next === undefined ? [] : [next]) : [one])));
  const isBuiltIn = (name: string): boolean => draft.shipped?.associations?.some((one) => one.name === name) ?? false;
  const typeOf = (wanted: string) => choices.record_types.find((type) => type.key === wanted);
  const isTaken = (type: string, via: string): boolean =>
    associations.some((one) => one.kind === "has-many" && one.type === type && one.via === via);
  // Who refers to records of this type, and is not listed yet.
  const referring = choices.record_types.flatMap((type) =>
    type.references
      .filter((reference) => reference.to === key && !isTaken(type.key, reference.field))
      .map((reference) => ({ type, ...reference })),
  );
  const labelOf = (type: string, via: string): string =>
    typeOf(type)?.references.find(({ field }) => field === via)?.label ?? via;
  const hanging = choices.record_types.filter((type) => type.attaches_to_any === 1 && !choicesOfTheirOwn.has(type.key));
  const many = associations.filter((one): one is HasMany => one.kind === "has-many");
  const others = associations.filter(({ kind }) => kind === "has-many-through" || kind === "belongs-to-any");
  const nameFor = (wanted: string): string =>
    freeName(ownName(draft, wanted), [
      ...associations.map(({ name }) => name),
      ...draft.fields.map(({ name }) => name),
    ]);
  return (
    <>
      <Section title={t("design.many")} lead={t("design.many_lead")}>
        {many.length + referring.length === 0 ? (
          <EmptyState
            small
            icon={IconLink}
            title={t("design.many_none")}
            text={t(isNew ? "design.many_none_new" : "design.many_none_lead", { name: draft.plural })}
          />
        ) : (
          <ul className={classes.list}>
            {many.map((one) => (
              <ManyRow
                key={one.name}
                association={one}
                isBuiltIn={isBuiltIn(one.name)}
                typeName={typeOf(one.type)?.plural ?? one.type}
                by={labelOf(one.type, one.via)}
                isNew={one.name === added}
                error={errors.get(`associations.${one.name}`)}
                onChange={(next) => replace(one.name, next)}
              />
            ))}
            {referring.map(({ type, field, label }) => (
              <li key={`${type.key} ${field}`} className={classes.offer}>
                <span>
                  <b>{type.plural}</b>
                  <small>{t("design.many_by", { field: label })}</small>
                </span>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => {
                    const name = nameFor(type.controller);
                    setAdded(name);
                    put([...associations, { kind: "has-many", name, label: type.plural, type: type.key, via: field }]);
                  }}
                >
                  {t("design.many_show")}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t("design.hanging")} lead={t("design.hanging_lead")}>
        <div className={classes.form}>
          {hanging.map((type) => {
            const own = associations.find((one) => one.kind === "has-many-polymorphic" && one.type === type.key);
            return (
              <Checkbox
                key={type.key}
                label={type.plural}
                data-path={own && `associations.${own.name}`}
                error={own && errors.get(`associations.${own.name}`)}
                checked={own !== undefined}
                disabled={own !== undefined && isBuiltIn(own.name)}
                onChange={(event) =>
                  event.currentTarget.checked
                    ? put([
                        ...associations,
                        {
                          kind: "has-many-polymorphic",
                          name: nameFor(type.controller),
                          label: type.plural,
                          type: type.key,
                          owned: true,
                        },
                      ])
                    : replace(own?.name ?? "", undefined)
                }
              />
            );
          })}
        </div>
      </Section>
      <Through draft={draft} recordTypeKey={key} choices={choices} nameFor={nameFor} put={put} />
      {others.length > 0 && (
        <Section title={t("design.other_connections")}>
          <ul className={classes.list}>
            {others.map((one) => (
              <li key={one.name} className={classes.offer}>
                <span>
                  <b>{one.label ?? one.name}</b>
                  <small>{"through" in one ? `${one.type} · ${one.through}` : one.kind}</small>
                  {errors.get(`associations.${one.name}`) && (
                    <small className={classes.error}>{errors.get(`associations.${one.name}`)}</small>
                  )}
                </span>
                {isBuiltIn(one.name) ? (
                  <Tag>{t("design.built_in")}</Tag>
                ) : (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    data-path={`associations.${one.name}`}
                    aria-label={t("design.many_remove", { name: one.label ?? one.name })}
                    onClick={() => replace(one.name, undefined)}
                  >
                    <IconTrash size={16} stroke={1.6} />
                  </ActionIcon>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

interface ManyRowProps {
  readonly association: HasMany;
  /** It ships, and stays as it is. */
  readonly isBuiltIn: boolean;
  readonly typeName: string;
  /** What the reference is called that leads here. */
  readonly by: string;
  readonly isNew: boolean;
  readonly error: string | undefined;
  readonly onChange: (association: HasMany | undefined) => void;
}

function ManyRow({ association, isBuiltIn, typeName, by, isNew, error, onChange }: ManyRowProps) {
  const { t } = useTranslation();
  if (isBuiltIn) {
    return (
      <li className={classes.offer}>
        <span>
          <b>{association.label ?? typeName}</b>
          <small>{t("design.many_by", { field: by })}</small>
        </span>
        <Tag>{t("design.built_in")}</Tag>
      </li>
    );
  }
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <b>{typeName}</b>
        <Tag>{t("design.many_by", { field: by })}</Tag>
        <ActionIcon
          ms="auto"
          variant="subtle"
          color="gray"
          aria-label={t("design.many_remove", { name: typeName })}
          onClick={() => onChange(undefined)}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <TextInput
        size="xs"
        label={t("design.many_label")}
        autoFocus={isNew}
        value={association.label ?? ""}
        data-path={`associations.${association.name}`}
        error={error}
        onChange={(event) => {
          const { label: _, ...others } = association;
          onChange(event.currentTarget.value === "" ? others : { ...others, label: event.currentTarget.value });
        }}
      />
      <Checkbox
        size="xs"
        label={t("design.many_owned")}
        description={t("design.many_owned_lead")}
        checked={association.owned ?? false}
        onChange={(event) => onChange({ ...association, owned: event.currentTarget.checked })}
      />
    </li>
  );
}

interface ThroughProps extends Pick<PartProps, "draft" | "choices"> {
  readonly recordTypeKey: string;
  readonly nameFor: (wanted: string) => string;
  readonly put: (associations: readonly AssociationDefinition[]) => void;
}

/** Records on the far side of a joining type: one that refers here and there. */
function Through({ draft, recordTypeKey, choices, nameFor, put }: ThroughProps) {
  const { t } = useTranslation();
  const [joining, setJoining] = useState<string | null>(null);
  const joiners = choices.record_types.filter(
    (type) => type.references.some(({ to }) => to === recordTypeKey) && type.references.length > 1,
  );
  if (joiners.length === 0) return null;
  const joiner = joiners.find(({ key }) => key === joining);
  const here = joiner?.references.find(({ to }) => to === recordTypeKey);
  const there = joiner?.references.filter(({ field }) => field !== here?.field) ?? [];
  return (
    <Section title={t("design.through")} lead={t("design.through_lead")}>
      <div className={classes.form}>
        <RecordTypePicker label={t("design.through_type")} types={joiners} value={joining} onChange={setJoining} />
        {there.map((reference) => {
          const far = choices.record_types.find(({ key }) => key === reference.to);
          return (
            <Button
              key={reference.field}
              size="compact-sm"
              variant="default"
              onClick={() => {
                setJoining(null);
                put([
                  ...(draft.associations ?? []),
                  {
                    kind: "has-many-through",
                    name: nameFor(far?.controller ?? reference.field),
                    label: far?.plural ?? reference.label,
                    type: reference.to,
                    through: joiner?.key ?? "",
                    via: here?.field ?? "",
                    to: reference.field,
                  },
                ]);
              }}
            >
              {t("design.through_add", { name: far?.plural ?? reference.to, field: reference.label })}
            </Button>
          );
        })}
      </div>
    </Section>
  );
}
