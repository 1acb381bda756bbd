// What happens along with a transition or an arrival: fields set, a record made, a mail, a notification; each if a condition
// holds.
import { ActionIcon, Button, Group, Menu, Select, TextInput } from "@mantine/core";
import { IconBell, IconFilePlus, IconMail, IconPencil, IconPlus, IconTrash, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import { permission } from "../../../../contract/permissions.ts";
import type { ActorName, EffectDefinition } from "../../../../contract/workflow.ts";
import { RecordTypePicker } from "../../../fields/design/record-type-picker.tsx";
import { schemaQuery } from "../../../queries.ts";
import { ConditionInput } from "../conditions/condition-input.tsx";
import design from "../design.module.css";
import { designChoicesQuery } from "../design-queries.ts";
import { ActorsInput } from "./actors-input.tsx";
import { ExpressionInput } from "./expression-input.tsx";
import { TemplateInput } from "./template-input.tsx";
import classes from "./workflow.module.css";

const kinds = ["set", "create", "mail", "notify"] as const;
type Kind = (typeof kinds)[number];

const icons = { set: IconPencil, create: IconFilePlus, mail: IconMail, notify: IconBell } as const;

const fresh: Readonly<Record<Kind, EffectDefinition>> = {
  set: { set: {} },
  create: { create: "", values: {} },
  mail: { mail: { to: ["owner"], subject: "", text: "" } },
  notify: { notify: { to: ["owner"], text: "" } },
};

const kindOf = (effect: EffectDefinition): Kind => kinds.find((kind) => kind in effect) ?? "set";

interface EffectsEditorProps {
  readonly label: string;
  readonly effects: readonly EffectDefinition[] | undefined;
  readonly schema: RecordTypeSchema;
  /** Kinds that are possible here. */
  readonly offered?: readonly Kind[];
  readonly onChange: (effects: readonly EffectDefinition[] | undefined) => void;
}

export function EffectsEditor({ label, effects = [], schema, offered = kinds, onChange }: EffectsEditorProps) {
  const { t } = useTranslation();
  const put = (next: readonly EffectDefinition[]): void => onChange(next.length === 0 ? undefined : next);
  const list = useRef<HTMLOListElement>(null);
  const add = (kind: Kind): void => {
    put([...effects, fresh[kind]]);
    // Whoever added one goes on in it, once the menu has given the focus back.
    setTimeout(() => list.current?.querySelector<HTMLElement>(":scope > li:last-child :is(input, textarea)")?.focus());
  };
  return (
    <div>
      <span className={design.caption}>{label}</span>
      <ol className={classes.effects} ref={list}>
        {effects.map((effect, index) => (
          <Effect
            // biome-ignore lint/suspicious/noArrayIndexKey: effects have no other name than their place
            key={index}
            effect={effect}
            schema={schema}
            onChange={(next) => put(effects.flatMap((one, at) => (at === index ? (next ?? []) : [one])))}
          />
        ))}
      </ol>
      <Menu position="bottom-start" shadow="md" width={220} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={13} aria-hidden="true" />}
            aria-label={`${t("workflows.add_effect")}: ${label}`}
          >
            {t("workflows.add_effect")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((kind) => {
            const KindIcon = icons[kind];
            return (
              <Menu.Item key={kind} leftSection={<KindIcon size={16} stroke={1.6} />} onClick={() => add(kind)}>
                {t(`workflows.effects.${kind}`)}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

interface EffectProps {
  readonly effect: EffectDefinition;
  readonly schema: RecordTypeSchema;
  readonly onChange: (effect: EffectDefinition | undefined) => void;
}

function Effect({ effect, schema, onChange }: EffectProps) {
  const { t } = useTranslation();
  const kind = kindOf(effect);
  const KindIcon = icons[kind];
  const { fields } = schema;
  return (
    <li className={classes.effect}>
      <div className={classes.effectHead}>
        <KindIcon size={16} stroke={1.6} aria-hidden="true" />
        <b>{t(`workflows.effects.${kind}`)}</b>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t("workflows.remove_effect")}
          onClick={() => onChange(undefined)}
        >
          <IconTrash size={15} stroke={1.6} />
        </ActionIcon>
      </div>
      {"set" in effect && (
        <Values
          values={effect.set}
          fields={fields.filter((field) => field.workflow_may_set)}
          onChange={(set) => onChange({ ...effect, set })}
        />
      )}
      {"create" in effect && <Created effect={effect} onChange={onChange} />}
      {"mail" in effect && (
        <>
          <ActorsInput
            label={t("workflows.to")}
            value={effect.mail.to}
            fields={fields}
            withAddresses
            onChange={(to) => onChange({ ...effect, mail: { ...effect.mail, to } })}
          />
          <TemplateInput
            label={t("workflows.subject")}
            rows={1}
            recordTypeKey={schema.recordType.key}
            value={effect.mail.subject}
            onChange={(subject) => onChange({ ...effect, mail: { ...effect.mail, subject } })}
          />
          <TemplateInput
            label={t("workflows.text")}
            rows={2}
            recordTypeKey={schema.recordType.key}
            value={effect.mail.text}
            onChange={(text) => onChange({ ...effect, mail: { ...effect.mail, text } })}
          />
        </>
      )}
      {"notify" in effect && (
        <>
          <ActorsInput
            label={t("workflows.to")}
            value={effect.notify.to}
            fields={fields}
            // The list offers nothing else.
            onChange={(to) => onChange({ ...effect, notify: { ...effect.notify, to: to as readonly ActorName[] } })}
          />
          <TemplateInput
            label={t("workflows.text")}
            rows={2}
            recordTypeKey={schema.recordType.key}
            value={effect.notify.text}
            onChange={(text) => onChange({ ...effect, notify: { ...effect.notify, text } })}
          />
        </>
      )}
      <ConditionInput
        label={t("workflows.only_if")}
        value={effect.when}
        fields={fields}
        onChange={(when) => {
          const { when: _, ...others } = effect;
          // The same effect with or without its condition.
          onChange((when === undefined ? others : { ...others, when }) as EffectDefinition);
        }}
      />
    </li>
  );
}

type Create = Extract<EffectDefinition, { readonly create: string }>;

function Created({ effect, onChange }: { readonly effect: Create; readonly onChange: EffectProps["onChange"] }) {
  const { t } = useTranslation();
  const choices = useQuery(designChoicesQuery);
  const { data } = useQuery({ ...schemaQuery(effect.create), enabled: effect.create !== "" });
  return (
    <>
      <Group gap={6} grow align="flex-end">
        <RecordTypePicker
          label={t("workflows.create_type")}
          types={(choices.data?.record_types ?? []).filter((type) => type.may_have_workflow === 1)}
          value={effect.create || null}
          onChange={(create) => onChange({ ...effect, create: create ?? "", values: {} })}
        />
        <TextInput
          label={t("workflows.create_as")}
          placeholder="person"
          value={effect.as ?? ""}
          onChange={(event) => {
            const { as: _, ...others } = effect;
            onChange(event.currentTarget.value === "" ? others : { ...others, as: event.currentTarget.value });
          }}
        />
      </Group>
      {effect.create !== "" && (
        <Values
          values={effect.values}
          fields={(data?.fields ?? []).filter(
            (field) => field.workflow_may_set && field.permission === permission.EDIT,
          )}
          onChange={(values) => onChange({ ...effect, values })}
        />
      )}
    </>
  );
}

interface ValuesProps {
  readonly values: Readonly<Record<string, string>>;
  readonly fields: readonly SchemaField[];
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** Fields with what they are set to. */
function Values({ values, fields, onChange }: ValuesProps) {
  const { t } = useTranslation();
  const labelOf = (name: string): string => fields.find((field) => field.name === name)?.label ?? name;
  return (
    <div>
      {Object.entries(values).map(([name, text]) => (
        <div key={name} className={classes.pair}>
          <span className={design.role}>{labelOf(name)}</span>
          <ExpressionInput
            label={t("workflows.becomes", { name: labelOf(name) })}
            value={text}
            options={fields.find((field) => field.name === name)?.options}
            onChange={(next) => onChange({ ...values, [name]: next })}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t("workflows.leave_field", { name: labelOf(name) })}
            onClick={() => onChange(Object.fromEntries(Object.entries(values).filter(([one]) => one !== name)))}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <Select
        size="xs"
        mt={4}
        searchable
        selectFirstOptionOnChange
        value={null}
        aria-label={t("workflows.add_value")}
        placeholder={t("workflows.add_value")}
        data={fields.filter(({ name }) => !(name in values)).map(({ name, label }) => ({ value: name, label }))}
        onChange={(name) => name !== null && onChange({ ...values, [name]: "" })}
      />
    </div>
  );
}
