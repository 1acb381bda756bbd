// Chooses a field of a record type by searching: its own fields, and those of records that it leads to, at any depth.
import { Combobox, InputBase, type MantineSize, UnstyledButton, useCombobox } from "@mantine/core";
import { IconArrowLeft, IconChevronRight } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { useLateList } from "../../parts/controls/use-late-list.ts";
import { schemaQuery } from "../../queries.ts";
import { fieldTypes } from "../index.ts";
import { ANY_TYPE, aliasOf, asOffered, type FoundField, type Way, waysOf } from "./field-path.ts";
import classes from "./field-picker.module.css";

interface Step extends Way {
  readonly to: string;
}

interface FieldPickerProps {
  readonly recordTypeKey: string;
  readonly label: string;
  /** What is chosen now, as people read it. */
  readonly title: string | undefined;
  readonly placeholder?: string;
  /** Has-many associations too: conditions go through them, columns do not. */
  readonly many?: boolean;
  readonly offers?: (field: SchemaField) => boolean;
  /** No fields of records that it leads to, and by a name that other record types understand too. */
  readonly ownOnly?: boolean;
  readonly onChoose: (found: FoundField) => void;
  readonly size?: MantineSize;
  /** False inside of what closes by a click outside of it. */
  readonly withinPortal?: boolean;
  /** A quiet button in place of the box that shows the choice. */
  readonly button?: ReactNode;
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  readonly disabled?: boolean;
  /** Something else that can be chosen, after all fields. */
  readonly other?: { readonly label: string; readonly onChoose: () => void };
}

/** Deeper than this the service does not go. */
const MOST_STEPS = 3;
const MOST_SHOWN = 60;

const everything = (): boolean => true;

export function FieldPicker(props: FieldPickerProps) {
  const { recordTypeKey, many = false, offers = everything, ownOnly = false } = props;
  const { t } = useTranslation();
  const [path, setPath] = useState<readonly Step[]>([]);
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState(false);
  const list = useLateList();
  const combobox = useCombobox({
    opened,
    onOpenedChange: setOpened,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setPath([]);
      setSearch("");
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const root = useQuery({ ...schemaQuery(recordTypeKey), enabled: opened });
  const here = useQuery({ ...schemaQuery(path.at(-1)?.to ?? recordTypeKey), enabled: opened });
  const ways =
    here.data && path.length < (ownOnly ? 0 : MOST_STEPS)
      ? waysOf(here.data).filter(({ isMany }) => many || !isMany)
      : [];
  const wanted = search.trim().toLocaleLowerCase();
  // Searching looks one step further than what is on the screen.
  const further = useQueries({
    queries: ways.map(({ to }) => ({ ...schemaQuery(to), enabled: opened && wanted !== "" })),
  });

  const alias = ownOnly ? ANY_TYPE : root.data ? aliasOf(root.data) : "";
  const foundAt = (steps: readonly Step[], field: SchemaField): FoundField => ({
    column: [alias, ...steps.map(({ association }) => association.name), field.name].join("."),
    labels: [...steps.map(({ association }) => association.label), field.label],
    field,
    isMany: steps.some(({ isMany }) => isMany),
  });
  const matches = ({ labels }: FoundField): boolean =>
    wanted === "" || labels.join(" ").toLocaleLowerCase().includes(wanted);
  const own = (here.data?.fields ?? []).filter(offers).map((field) => foundAt(path, field));
  const beyond =
    wanted === ""
      ? []
      : ways.flatMap((way, index) =>
          (further[index]?.data?.fields ?? []).filter(offers).map((field) => foundAt([...path, way], field)),
        );
  const matching = [...own, ...beyond].filter(matches);
  // What the service keeps for itself comes last.
  const { business, system } = asOffered(matching, MOST_SHOWN);
  const shown = [...business, ...system];
  const shownWays = ways.filter(
    ({ association }) => wanted === "" || association.label.toLocaleLowerCase().includes(wanted),
  );

  const submit = (value: string): void => {
    if (value === "back") setPath(path.slice(0, -1));
    if (value === "other") {
      combobox.closeDropdown();
      props.other?.onChoose();
      return;
    }
    const way = value.startsWith("way ")
      ? ways.find(({ association }) => association.name === value.slice(4))
      : undefined;
    if (way) {
      setPath([...path, way]);
      setSearch("");
    }
    const found = shown.find(({ column }) => column === value);
    if (found) {
      props.onChoose(found);
      combobox.closeDropdown();
      // The box that was searched in goes, and the focus would go with it.
      combobox.focusTarget();
    }
  };
  const option = (found: FoundField) => {
    const { icon: TypeIcon } = fieldTypes[found.field.type].design;
    return (
      <Combobox.Option key={found.column} value={found.column}>
        <span className={classes.field}>
          <TypeIcon size={15} stroke={1.6} aria-hidden="true" />
          <span>{found.labels.slice(path.length).join(" › ")}</span>
        </span>
      </Combobox.Option>
    );
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={submit}
      width={280}
      position="bottom-start"
      withinPortal={props.withinPortal ?? true}
      {...list.comboboxProps}
    >
      <Combobox.Target targetType="button">
        {props.button !== undefined ? (
          <UnstyledButton
            ref={props.buttonRef}
            className={classes.add ?? ""}
            disabled={props.disabled ?? false}
            onFocus={list.onFocus}
            onClick={() => combobox.toggleDropdown()}
          >
            {props.button}
          </UnstyledButton>
        ) : (
          <InputBase
            component="button"
            type="button"
            pointer
            size={props.size ?? "xs"}
            className={classes.box ?? ""}
            aria-label={props.title === undefined ? props.label : `${props.label}: ${props.title}`}
            rightSection={<Combobox.Chevron />}
            rightSectionPointerEvents="none"
            onFocus={list.onFocus}
            onClick={() => combobox.toggleDropdown()}
          >
            {props.title ?? <span className={classes.placeholder}>{props.placeholder ?? t("fields.choose")}</span>}
          </InputBase>
        )}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          aria-label={t("fields.search")}
          placeholder={t("fields.search")}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.selectFirstOption();
          }}
        />
        <Combobox.Options mah={300} style={{ overflowY: "auto" }} aria-label={props.label}>
          {path.length > 0 && (
            <Combobox.Option value="back">
              <span className={classes.way}>
                <IconArrowLeft size={14} stroke={1.6} aria-hidden="true" />
                {path.map(({ association }) => association.label).join(" › ")}
              </span>
            </Combobox.Option>
          )}
          {business.map(option)}
          {shownWays.length > 0 && (
            <Combobox.Group label={t("fields.through")}>
              {shownWays.map(({ association }) => (
                <Combobox.Option key={association.name} value={`way ${association.name}`}>
                  <span className={classes.way}>
                    <span>{association.label}</span>
                    <IconChevronRight size={14} stroke={1.6} aria-hidden="true" />
                  </span>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {system.length > 0 && <Combobox.Group label={t("fields.system")}>{system.map(option)}</Combobox.Group>}
          {shown.length === 0 && shownWays.length === 0 && (
            <Combobox.Option value="" disabled>
              {here.isPending ? t("states.loading") : t("fields.none")}
            </Combobox.Option>
          )}
          {props.other && (
            <Combobox.Option value="other" className={classes.other ?? ""}>
              {props.other.label}
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
