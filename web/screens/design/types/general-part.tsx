// What a record type is called, where it stands, and what its records have.
import { Checkbox, Group, NumberInput, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import classes from "../design.module.css";
import { IconChoice } from "../icon-choice.tsx";
import { proposedPrefix } from "../proposed-prefix.ts";
import { nameOf, type TypeDraft, withLabel, withPlural } from "./type-draft.ts";
import type { PartProps } from "./type-parts.ts";

const NEW = "+";

export function GeneralPart({ draft, change, errors, choices, isNew }: PartProps) {
  const { t } = useTranslation();
  const put = (changes: Partial<TypeDraft>): void => change({ ...draft, ...changes });
  return (
    <div className={classes.form}>
      <div className={classes.pair}>
        <TextInput
          label={t("design.label")}
          description={t("design.label_lead")}
          placeholder={t("design.label_example")}
          withAsterisk
          data-autofocus={isNew || undefined}
          value={draft.label}
          data-path="label"
          error={errors.get("label")}
          onChange={(event) => change(withLabel(draft, event.currentTarget.value, isNew))}
        />
        <TextInput
          label={t("design.plural")}
          description={t("design.plural_lead")}
          withAsterisk
          value={draft.plural}
          data-path="plural"
          error={errors.get("plural")}
          onChange={(event) => change(withPlural(draft, event.currentTarget.value, isNew))}
        />
      </div>
      {draft.shipped ? (
        <IconChoice icon={draft.icon} onChange={(icon) => put({ icon })} />
      ) : (
        <OwnType draft={draft} change={change} errors={errors} choices={choices} isNew={isNew} put={put} />
      )}
    </div>
  );
}

interface OwnTypeProps extends Omit<PartProps, "start"> {
  readonly put: (changes: Partial<TypeDraft>) => void;
}

/** What only a type that is made here has to say. */
function OwnType({ draft, change, errors, choices, isNew, put }: OwnTypeProps) {
  const { t } = useTranslation();
  const [ownModule, setOwnModule] = useState(
    draft.module !== "" && !choices.modules.some(({ name }) => name === draft.module),
  );
  const [moduleText, setModuleText] = useState(draft.module);
  const moduleName = useRef<HTMLInputElement>(null);
  const drop = (name: "businessKey"): void => {
    const { [name]: _, ...others } = draft;
    change(others);
  };
  const path = `/${draft.module || "…"}/${draft.controller || "…"}`;
  return (
    <>
      <div className={classes.pair}>
        <LateSelect
          label={t("design.module")}
          description={t("design.module_lead")}
          withAsterisk
          disabled={!isNew}
          allowDeselect={false}
          placeholder={t("design.module_choose")}
          data={[
            ...choices.modules.map(({ name, label }) => ({ value: name, label })),
            { value: NEW, label: t("design.module_new") },
          ]}
          value={ownModule ? NEW : draft.module || null}
          data-path={ownModule ? undefined : "module"}
          error={ownModule ? undefined : errors.get("module")}
          onChange={(value) => {
            // At once: whoever wants a new one goes on with its name.
            flushSync(() => setOwnModule(value === NEW));
            if (value === NEW) moduleName.current?.focus();
            put({ module: value === NEW ? nameOf(moduleText) : (value ?? "") });
          }}
        />
        {ownModule ? (
          <TextInput
            label={t("design.module_name")}
            description={t("design.module_name_lead")}
            withAsterisk
            disabled={!isNew}
            ref={moduleName}
            value={moduleText}
            data-path="module"
            error={errors.has("module") && draft.module === "" ? t("design.module_name_missing") : errors.get("module")}
            onChange={(event) => {
              setModuleText(event.currentTarget.value);
              put({ module: nameOf(event.currentTarget.value) });
            }}
          />
        ) : (
          <span />
        )}
      </div>
      <div className={classes.pair}>
        <TextInput
          label={t("design.controller")}
          description={isNew ? t("design.controller_lead", { path }) : t("design.controller_fixed", { path })}
          withAsterisk
          disabled={!isNew}
          value={draft.controller}
          data-path="controller definition"
          error={errors.get("controller") ?? errors.get("definition")}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onChange={(event) => put({ controller: event.currentTarget.value })}
        />
        <IconChoice icon={draft.icon} onChange={(icon) => put({ icon })} />
      </div>
      <LateSelect
        label={t("design.display_field")}
        description={t("design.display_field_lead")}
        withAsterisk
        allowDeselect={false}
        data={draft.fields
          .filter(({ name }) => name !== "")
          .filter((field, index, all) => all.findIndex((one) => one.name === field.name) === index)
          .map((field) => ({ value: field.name, label: field.label || field.name }))}
        value={draft.displayField || null}
        data-path="displayField"
        error={errors.get("displayField")}
        onChange={(value) => put({ displayField: value ?? "" })}
      />
      <Checkbox
        label={t("design.comments")}
        description={t("design.comments_lead")}
        checked={draft.allowComments ?? false}
        onChange={(event) => put({ allowComments: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("design.categories")}
        description={t("design.categories_lead")}
        checked={draft.categories ?? false}
        onChange={(event) => put({ categories: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("design.business_key")}
        description={t("design.business_key_lead")}
        checked={draft.businessKey !== undefined}
        onChange={(event) =>
          event.currentTarget.checked
            ? put({ businessKey: { prefix: proposedPrefix(draft.label), digits: 6 } })
            : drop("businessKey")
        }
      />
      {draft.businessKey && (
        <Group gap="sm" align="flex-start" ms={30}>
          <TextInput
            label={t("design.settings.prefix")}
            w={120}
            value={draft.businessKey.prefix}
            data-path="businessKey.prefix"
            error={errors.get("businessKey.prefix")}
            onChange={(event) =>
              put({ businessKey: { prefix: event.currentTarget.value, digits: draft.businessKey?.digits ?? 6 } })
            }
          />
          <NumberInput
            label={t("design.settings.digits")}
            w={100}
            min={1}
            max={12}
            value={draft.businessKey.digits}
            data-path="businessKey.digits"
            error={errors.get("businessKey.digits")}
            onChange={(value) =>
              put({ businessKey: { prefix: draft.businessKey?.prefix ?? "", digits: Number(value) || 1 } })
            }
          />
        </Group>
      )}
      <Checkbox
        label={t("design.hidden")}
        description={t("design.hidden_lead")}
        checked={draft.hidden ?? false}
        disabled={!isNew && draft.hidden !== true}
        onChange={(event) => put({ hidden: event.currentTarget.checked })}
      />
    </>
  );
}
