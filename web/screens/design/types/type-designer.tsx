// A record type to design: general, its fields, what is attached to it, who may do what. All of it is a draft until it is saved.
import { ActionIcon, Button, Group, Menu, Tabs } from "@mantine/core";
import { IconDeviceFloppy, IconDots, IconForms, IconLanguage, IconList, IconTrash } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type Dispatch, type SetStateAction, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesignChoices } from "../../../../client/design/design.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { SaveButton } from "../../../parts/controls/save-button.tsx";
import { FaultCount } from "../../../parts/layout/fault-count.tsx";
import { NamedIcon } from "../../../parts/layout/icon.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { PageHead } from "../../../parts/layout/page-head.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useHeldPlace } from "../../../session/held-place.ts";
import classes from "../design.module.css";
import { AccessPart } from "./access-part.tsx";
import { ChangedMeanwhile } from "./changes/changed-meanwhile.tsx";
import { RedesignDialog } from "./changes/redesign-dialog.tsx";
import { ConnectionsPart } from "./connections-part.tsx";
import { DesignRefusal } from "./design-refusal.tsx";
import { placeOfFault } from "./fault-place.ts";
import { FieldsPart } from "./fields-part.tsx";
import { GeneralPart } from "./general-part.tsx";
import { OnlyAdministrators } from "./only-administrators.tsx";
import { RemoveTypeDialog } from "./remove-type-dialog.tsx";
import { RulesPart } from "./rules-part.tsx";
import type { TypeDraft } from "./type-draft.ts";
import { partOf, type TypePart, typeParts } from "./type-parts.ts";
import { useSaveType } from "./use-save-type.ts";
import { useTypeDraft } from "./use-type-draft.ts";

interface TypeDesignerProps {
  readonly choices: DesignChoices;
  readonly stored: TypeDraft;
  /** Undefined for a new type. */
  readonly revision: string | undefined;
  /** When it was saved last, and by whom. */
  readonly modified?: string | null;
  readonly modifiedBy?: string | null;
  readonly place: DesignerPlace;
  readonly onPlace: Dispatch<SetStateAction<DesignerPlace>>;
}

/** Which part is in sight, and the field that is being designed: kept when a save puts a new draft in place. */
export interface DesignerPlace {
  readonly part: TypePart;
  readonly chosen?: string | undefined;
}

export function TypeDesigner(props: TypeDesignerProps) {
  const { choices, stored, revision, modified = null, modifiedBy = null } = props;
  const { part, chosen } = props.place;
  const setPart = (next: TypePart): void => props.onPlace({ part: next, chosen });
  const setChosen = (id: string | undefined): void => props.onPlace({ part, chosen: id });
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = revision === undefined;
  const key = `${stored.module}/${stored.controller}`;
  const [start] = useState(stored);
  const held = useTypeDraft(isNew ? "new" : key, start, revision);
  const { draft, change } = held;
  const isBehind = !isNew && held.isDirty && held.base !== undefined && held.revision !== revision;
  useHeldPlace(held.isDirty);
  const page = useRef<HTMLDivElement>(null);
  const [removing, setRemoving] = useState(false);
  const saving = useSaveType(held, ({ key: saved, discarded_values, converted_values }) => {
    const [kept, converted] = [Number(discarded_values), Number(converted_values)];
    const told = [
      t("design.saved", { name: draft.plural }),
      ...(kept > 0 ? [t("design.saved_kept", { count: kept })] : []),
      ...(converted > 0 ? [t("design.saved_converted", { count: converted })] : []),
    ];
    showDone(told.join(" "));
    if (isNew) return void navigate({ to: "/metadata/record_types/view", search: { key: saved }, replace: true });
    // What is stored is known by its name; who has gone elsewhere meanwhile stays there.
    const name = draft.fields.find(({ id }) => id === chosen)?.name;
    props.onPlace((now) => (now.chosen === chosen ? { ...now, chosen: name } : now));
  });
  const errors = saving.errors;
  /** Once what was pressed is gone from the page. */
  const focusOn = (place: string): void => {
    setTimeout(() => page.current?.querySelector<HTMLElement>(place)?.focus());
  };
  const save = (): void => {
    if (!saving.isPending && !isBehind) saving.save();
  };
  useCommands([
    { id: "save", label: t("design.save"), group: "record", keys: "mod+S", icon: IconDeviceFloppy, run: save },
  ]);
  const shared = { draft, change, errors, choices, isNew, start };
  const title = draft.plural || t("design.new_type");
  const isBuiltIn = draft.shipped !== undefined;
  // Who may do what with a built-in type is for its access policy to say.
  const shownParts = typeParts.filter((name) => !isBuiltIn || name !== "access");
  return (
    <div className={classes.designer} ref={page} data-designer>
      <PageHead
        title={title}
        lead={isNew ? t("design.new_lead") : isBuiltIn ? t("design.extend_lead") : key}
        icon={<NamedIcon name={draft.icon} size={20} />}
      >
        {!isNew && (
          <Group gap={6} wrap="nowrap">
            <Button
              component={Link}
              to={`/${key}/index`}
              size="xs"
              variant="default"
              leftSection={<IconList size={15} stroke={1.6} aria-hidden="true" />}
            >
              {t("design.open_list")}
            </Button>
            <Menu position="bottom-end" width={200} shadow="md" withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={30} aria-label={t("record.more")}>
                  <IconDots size={17} stroke={1.6} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  component={Link}
                  to={`/${key}/about?tab=design`}
                  leftSection={<IconForms size={16} stroke={1.6} />}
                >
                  {t("about.tab_design")}
                </Menu.Item>
                <Menu.Item
                  component={Link}
                  to={`/administration?part=translations&type=${encodeURIComponent(key)}`}
                  leftSection={<IconLanguage size={16} stroke={1.6} />}
                >
                  {t("translating.open")}
                </Menu.Item>
                {!isBuiltIn && <Menu.Divider />}
                {!isBuiltIn && (
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} stroke={1.6} />}
                    onClick={() => setRemoving(true)}
                  >
                    {t("design.remove_type")}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          </Group>
        )}
      </PageHead>
      {!isNew && !isBuiltIn && <OnlyAdministrators recordTypeKey={key} types={stored.plural} />}
      {isBehind && held.base && (
        <ChangedMeanwhile
          {...{ base: held.base, theirs: start, mine: draft, modified, modifiedBy }}
          onMerge={(merged) => {
            held.rebase(merged);
            focusOn("[data-save]");
          }}
          onDiscard={() => {
            held.clear();
            focusOn('[role="tab"][aria-selected="true"]');
          }}
        />
      )}
      {held.isOld && !isBehind && (
        <Notice tone="news">
          {t("design.old_draft")}{" "}
          <Button size="compact-xs" variant="default" onClick={held.clear}>
            {t("record.discard")}
          </Button>
        </Notice>
      )}
      {saving.error && !isBehind && (
        <DesignRefusal
          error={saving.error}
          errors={errors}
          draft={draft}
          onJump={(path) => {
            props.onPlace({ part: partOf(path), chosen: path.startsWith("field.") ? path.split(".")[1] : chosen });
            // The place is drawn first.
            setTimeout(() => page.current && placeOfFault(page.current, path)?.focus());
          }}
        />
      )}
      <Tabs value={part} onChange={(value) => setPart(typeParts.find((name) => name === value) ?? "general")}>
        <Tabs.List mb="lg">
          {shownParts.map((name) => {
            const count = [...errors.keys()].filter((path) => partOf(path) === name).length;
            return (
              <Tabs.Tab key={name} value={name} rightSection={count > 0 && <FaultCount count={count} />}>
                {t(`design.parts.${name}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralPart {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="fields">
          <FieldsPart {...shared} chosen={chosen} choose={setChosen} isDirty={held.isDirty} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesPart {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <ConnectionsPart {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <AccessPart {...shared} />
        </Tabs.Panel>
      </Tabs>
      <div className={classes.bar}>
        <span role="status">{held.isDirty ? t("design.unsaved") : ""}</span>
        {held.isDirty && !isNew && (
          <Button size="xs" variant="subtle" color="gray" onClick={held.clear}>
            {t("record.discard")}
          </Button>
        )}
        <SaveButton
          data-save
          size="xs"
          isSaving={saving.isPending}
          isDisabled={!held.isDirty || isBehind}
          onSave={save}
        >
          {t(isNew ? "design.create" : "design.save")}
        </SaveButton>
      </div>
      <RedesignDialog
        foresight={saving.asked}
        draft={draft}
        isSaving={saving.isPending}
        onConfirm={saving.confirm}
        onClose={saving.cancel}
      />
      {removing && <RemoveTypeDialog recordTypeKey={key} name={draft.plural} close={() => setRemoving(false)} />}
    </div>
  );
}
