// The fields of a record type in the order in which people meet them; the chosen one is designed beside the list, on a
// narrow screen below its line.
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconListDetails, IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldTypeId } from "../../../../contract/field-types.ts";
import { permission } from "../../../../contract/permissions.ts";
import { movedWithin, type OnDrop } from "../../../parts/controls/drag-place.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { useSteady } from "../../../parts/use-steady.ts";
import classes from "../design.module.css";
import { paneKeys } from "../pane-keys.ts";
import { useLineCommands } from "../use-line-commands.ts";
import { RemovedPart } from "./changes/removed-part.tsx";
import { FieldInspector } from "./field-inspector.tsx";
import { FieldRow } from "./field-row.tsx";
import { TypeChooser } from "./type-chooser.tsx";
import { type ComputedKind, changeField, retype, withComputed, withField, withoutField } from "./type-draft.ts";
import type { PartProps } from "./type-parts.ts";

interface FieldsPartProps extends PartProps {
  readonly chosen: string | undefined;
  readonly choose: (id: string | undefined) => void;
  readonly isDirty: boolean;
}

export function FieldsPart({ chosen, choose, isDirty, ...props }: FieldsPartProps) {
  const { t } = useTranslation();
  useLineCommands();
  const { draft, change, errors } = props;
  const isWide = useMediaQuery("(min-width: 62em)", true);
  /** `true`: for a new field; an id: of a field that changes its type. */
  const [choosing, setChoosing] = useState<true | string>();
  /** A field was added: its label has the focus then, not what opened the dialog. */
  const [isAdded, setAdded] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const field = draft.fields.find(({ id }) => id === chosen);
  // What ships comes first, in its own order: a form decides on what people see where.
  const first = draft.fields.filter(({ shipped }) => shipped !== undefined).length;
  const move: OnDrop = useSteady((from, to) =>
    change({ ...draft, fields: movedWithin(draft.fields, from.index, Math.max(to.index, first)) }),
  );
  const pick = useSteady((id: string) => choose(id === chosen ? undefined : id));
  const hide = useSteady((id: string, hides: boolean) => {
    const shipped = draft.fields.find((one) => one.id === id)?.shipped;
    change(changeField(draft, id, { permission: hides ? permission.DELETE : shipped?.permission }));
  });
  const remove = useSteady((id: string, place: number) => {
    change(withoutField(draft, id));
    // The menu that had the focus goes with its field: the next one has it.
    setTimeout(() => {
      const rows = list.current?.querySelectorAll(":scope > li") ?? [];
      rows[Math.min(place, rows.length - 1)]?.querySelector<HTMLElement>("button[aria-expanded]")?.focus();
    });
  });
  const faultsOf = (id: string): number => [...errors.keys()].filter((path) => path.startsWith(`field.${id}.`)).length;
  const take = (type: FieldTypeId): void => {
    if (choosing === true) {
      const added = withField(draft, type);
      change(added.draft);
      choose(added.id);
      setAdded(true);
    } else if (choosing !== undefined) change(retype(draft, choosing, type));
    setChoosing(undefined);
  };
  const compute = (kind: ComputedKind): void => {
    const added = withComputed(draft, kind);
    change(added.draft);
    choose(added.id);
    setAdded(true);
    setChoosing(undefined);
  };
  const inspector = field && (
    <FieldInspector
      key={field.id}
      {...props}
      field={field}
      onRetype={() => {
        setAdded(false);
        setChoosing(field.id);
      }}
    />
  );
  return (
    <div className={classes.panes} ref={paneKeys}>
      <div>
        <ol className={classes.rows} aria-label={t("design.parts.fields")} ref={list} data-lines>
          {draft.fields.map((one, index) => (
            <FieldRow
              key={one.id}
              field={one}
              place={index}
              first={first}
              count={draft.fields.length}
              isChosen={one.id === chosen}
              isTitle={one.name !== "" && one.name === draft.displayField}
              faults={faultsOf(one.id)}
              onChoose={pick}
              onMove={move}
              onHide={hide}
              onRemove={remove}
            >
              {!isWide && one.id === chosen && inspector}
            </FieldRow>
          ))}
        </ol>
        <Button
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
          onClick={() => {
            setAdded(false);
            setChoosing(true);
          }}
        >
          {t("design.add_field")}
        </Button>
        {!props.isNew && <RemovedPart recordTypeKey={`${draft.module}/${draft.controller}`} isDirty={isDirty} />}
      </div>
      {isWide && (
        <div className={classes.inspector} data-sheet>
          {inspector ?? (
            <EmptyState small icon={IconListDetails} title={t("design.no_field")} text={t("design.no_field_lead")} />
          )}
        </div>
      )}
      <TypeChooser
        opened={choosing !== undefined}
        current={draft.fields.find(({ id }) => id === choosing)?.type}
        onChoose={take}
        onCompute={choosing === true ? compute : undefined}
        returnFocus={!isAdded}
        onClose={() => setChoosing(undefined)}
      />
    </div>
  );
}
