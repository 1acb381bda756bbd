// One module of the navigation with its entries, each with a handle to move it by and a sheet of what can be said about it.
import { Button, MultiSelect, Select, Switch, TextInput, UnstyledButton } from "@mantine/core";
import { IconLink, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ArrangedEntry, ArrangedModule, ArrangedNavigation } from "../../../../client/design/navigation.ts";
import { isAddress } from "../../../../contract/navigation/address.ts";
import { type OnDrop, type Place, useDragPlace, useDropZone } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import { NamedIcon } from "../../../parts/layout/icon.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import design from "../design.module.css";
import { IconChoice } from "../icon-choice.tsx";
import classes from "./navigation.module.css";
import {
  type Chosen,
  MODULES,
  type NavigationDraft,
  placeAfter,
  stepGap,
  withEntry,
  withLink,
  withModule,
  withoutEntry,
} from "./navigation-draft.ts";

interface Shared {
  readonly draft: NavigationDraft;
  readonly roles: ArrangedNavigation["roles"];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onChange: (draft: NavigationDraft) => void;
  readonly onMove: OnDrop;
}

interface ModuleCardProps extends Shared {
  readonly module: ArrangedModule;
  readonly place: number;
}

export function ModuleCard({ module, place, ...shared }: ModuleCardProps) {
  const { t } = useTranslation();
  const { draft, chosen, onChoose, onChange, onMove } = shared;
  const at: Place = { list: MODULES, index: place };
  const drag = useDragPlace({ kind: "module", place: at, onDrop: onMove });
  const { zone, isOver } = useDropZone("menu-entry", module.name, module.entries.length, onMove);
  const isChosen = chosen === module.name;
  return (
    <li
      ref={drag.row}
      className={design.row}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
    >
      <div className={classes.head}>
        <MoveHandle
          name={module.label}
          place={place}
          count={draft.length}
          handle={drag.handle}
          onStep={(by) => {
            const gap = stepGap(draft, at, by);
            if (gap) onMove(at, gap);
          }}
        />
        <Pick thing={module} isChosen={isChosen} onChoose={() => onChoose(isChosen ? undefined : module.name)} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={13} aria-hidden="true" />}
          aria-label={t("navigation.add_link_to", { name: module.label })}
          onClick={() => {
            onChange(withLink(draft, module.name, t("navigation.new_link_name")));
            onChoose({ list: module.name, index: module.entries.length });
          }}
        >
          {t("navigation.add_link")}
        </Button>
      </div>
      {isChosen && (
        <div className={design.sheet}>
          <Settings
            thing={module}
            {...shared}
            isNew={module.is_own && module.entries.length === 0}
            onPut={(changes) => onChange(withModule(draft, module.name, changes))}
          />
          {module.is_own && module.entries.length === 0 && (
            <Button
              variant="default"
              color="red"
              onClick={() => onChange(draft.filter(({ name }) => name !== module.name))}
            >
              {t("navigation.remove_module")}
            </Button>
          )}
        </div>
      )}
      <section ref={zone} data-over={isOver || undefined} className={classes.entries} aria-label={module.label}>
        <ul className={design.list} style={{ gap: 0, maxWidth: "none" }}>
          {module.entries.map((entry, index) => (
            <EntryRow
              key={entry.id ?? `${entry.key} ${entry.controller}`}
              module={module}
              entry={entry}
              index={index}
              {...shared}
            />
          ))}
        </ul>
        {module.entries.length === 0 && <p className={classes.none}>{t("navigation.empty_module")}</p>}
      </section>
    </li>
  );
}

const placeName = ({ list, index }: Place): string => `${list} ${index}`;

/** An entry that goes into another module is made anew there, without the focus that its handle had. */
function focusEntry(place: Place): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-place="${CSS.escape(placeName(place))}"] button`)?.focus(),
  );
}

interface EntryRowProps extends Shared {
  readonly module: ArrangedModule;
  readonly entry: ArrangedEntry;
  readonly index: number;
}

function EntryRow({ module, entry, index, ...shared }: EntryRowProps) {
  const { t } = useTranslation();
  const { draft, chosen, onChoose, onChange, onMove } = shared;
  const at: Place = { list: module.name, index };
  const drag = useDragPlace({ kind: "menu-entry", place: at, onDrop: onMove });
  const isChosen = typeof chosen === "object" && chosen.list === module.name && chosen.index === index;
  const isLink = entry.controller === null;
  const put = (changes: Partial<ArrangedEntry>): void => onChange(withEntry(draft, at, changes));
  return (
    <li
      ref={drag.row}
      className={design.row}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
      data-chosen={isChosen || undefined}
      data-place={placeName(at)}
    >
      <div className={design.line}>
        <MoveHandle
          name={entry.label}
          place={index}
          count={module.entries.length}
          handle={drag.handle}
          onStep={(by) => {
            const gap = stepGap(draft, at, by);
            if (gap === undefined) return;
            onMove(at, gap);
            if (gap.list !== module.name) focusEntry(placeAfter(at, at, gap));
          }}
        />
        <Pick thing={entry} isChosen={isChosen} onChoose={() => onChoose(isChosen ? undefined : at)} />
      </div>
      {isChosen && (
        <div className={design.sheet}>
          <Settings thing={entry} {...shared} isNew={isLink && entry.url === ""} onPut={put}>
            {isLink && (
              <TextInput
                label={t("navigation.address")}
                description={t("navigation.address_lead")}
                withAsterisk
                maxLength={255}
                value={entry.url}
                error={entry.url.trim() !== "" && !isAddress(entry.url.trim()) && t("navigation.address_wrong")}
                leftSection={<IconLink size={15} aria-hidden="true" />}
                onChange={(event) => put({ url: event.currentTarget.value })}
              />
            )}
            <Select
              label={t("navigation.module")}
              data={draft.map(({ name, label }) => ({ value: name, label }))}
              allowDeselect={false}
              value={module.name}
              onChange={(name) => {
                if (name === null || name === module.name) return;
                const to = draft.find((one) => one.name === name)?.entries.length ?? 0;
                onMove(at, { list: name, index: to });
                focusEntry({ list: name, index: to });
              }}
            />
          </Settings>
          {isLink && (
            <Button
              variant="default"
              color="red"
              onClick={() => {
                onChange(withoutEntry(draft, at));
                onChoose(undefined);
                focusEntry({ list: module.name, index: Math.max(0, index - 1) });
              }}
            >
              {t("navigation.remove_link")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

type Thing = ArrangedModule | ArrangedEntry;

interface PickProps {
  readonly thing: Thing;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Pick({ thing, isChosen, onChoose }: PickProps) {
  const { t } = useTranslation();
  const about = "url" in thing ? (thing.controller ?? thing.url) : undefined;
  return (
    <UnstyledButton className={design.pick ?? ""} aria-expanded={isChosen} onClick={onChoose}>
      <NamedIcon name={thing.icon ?? undefined} />
      <span className={design.words}>
        <span>{thing.label || t("forms.unnamed")}</span>
        {about !== undefined && <small>{about}</small>}
      </span>
      <span className={design.tags}>
        {"is_setup" in thing && thing.is_setup && <Tag>{t("shell.administration")}</Tag>}
        {!thing.is_active && <Tag>{t("navigation.hidden")}</Tag>}
        {thing.is_active && thing.hidden_for.length > 0 && (
          <Tag>{t("navigation.hidden_for_count", { count: thing.hidden_for.length })}</Tag>
        )}
      </span>
    </UnstyledButton>
  );
}

interface SettingsProps {
  readonly thing: Thing;
  readonly roles: ArrangedNavigation["roles"];
  /** Just added: its name is typed next. */
  readonly isNew: boolean;
  readonly onPut: (changes: Partial<Decided>) => void;
  readonly children?: ReactNode;
}

interface Decided {
  readonly label: string;
  readonly icon: string | null;
  readonly is_active: boolean;
  readonly hidden_for: readonly string[];
}

function Settings({ thing, roles, isNew, onPut, children }: SettingsProps) {
  const { t } = useTranslation();
  const known = roles.map(({ code, name }) => ({ value: code, label: name }));
  const others = thing.hidden_for.filter((code) => !known.some(({ value }) => value === code));
  return (
    <>
      <TextInput
        label={t("navigation.label")}
        withAsterisk
        maxLength={80}
        autoFocus={isNew}
        onFocus={(event) => isNew && event.currentTarget.select()}
        value={thing.label}
        placeholder={"plural" in thing ? (thing.plural ?? undefined) : undefined}
        onChange={(event) => onPut({ label: event.currentTarget.value })}
      />
      <IconChoice icon={thing.icon ?? undefined} onChange={(icon) => onPut({ icon })} />
      {children}
      <Switch
        label={t("navigation.shown")}
        checked={thing.is_active}
        onChange={(event) => onPut({ is_active: event.currentTarget.checked })}
      />
      {thing.is_active && (
        <MultiSelect
          label={t("navigation.hidden_for")}
          description={t("navigation.hidden_for_lead")}
          searchable
          selectFirstOptionOnChange
          data={[...known, ...others.map((code) => ({ value: code, label: code }))]}
          value={[...thing.hidden_for]}
          onChange={(hidden_for) => onPut({ hidden_for })}
        />
      )}
    </>
  );
}
