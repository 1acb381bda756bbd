// Takes the record types of an installation and the design of an organization; gives every label that people read and can translate, each
// once, with the first place where it stands. Pure.
import type { FormDefinition } from "../../../contract/form-definition.ts";
import { oneLine } from "../../fields/columns/plain-text.ts";
import { translateForm } from "../../forms/form-definition.ts";
import { shipsWith } from "../../labels/shipped-places.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { Content, DesignItem, Json } from "../design.ts";

export type LabelKind =
  | "type"
  | "field"
  | "help"
  | "option"
  | "related"
  | "form"
  | "workflow"
  | "stage"
  | "transition"
  | "view"
  | "category"
  | "navigation";

export interface PlacedLabel {
  /** As `core/translations` keeps it: in one line. */
  readonly label: string;
  readonly kind: LabelKind;
  /** The record type that it belongs to; null in the navigation. */
  readonly type: string | null;
  /** What it is part of: the field of an option, the form of a heading. */
  readonly of: string | null;
  /** It stands on a type where it does not ship: what ships does not translate it there. */
  readonly isOwn: boolean;
}

/** The longest text that `core/translations` takes. */
export const LONGEST_LABEL = 500;

/** `only`: labels of this record type. */
export function readLabels(
  { types: all }: Pick<Snapshot, "types">,
  items: readonly DesignItem[],
  only?: string,
): readonly PlacedLabel[] {
  const found = new Map<string, PlacedLabel>();
  const addAt =
    (isOwn: (label: string) => boolean): Add =>
    (written, kind, type, of = null) => {
      const label = typeof written === "string" ? oneLine(written) : "";
      // Where it has no translation is where it is looked for.
      if (label === "" || (found.has(label) && (!isOwn(label) || found.get(label)?.isOwn))) return;
      found.set(label, { label, kind, type, of, isOwn: isOwn(label) });
    };
  const types = [...all.values()].filter(({ key }) => only === undefined || key === only);
  for (const type of types) {
    const ships = shipsWith(type.key);
    addType(
      type,
      addAt((label) => !ships(label)),
    );
  }
  const add = addAt(() => false);
  for (const { kind, content } of items) {
    const type = typeof content.controller === "string" ? content.controller : null;
    if (only !== undefined && type !== only) continue;
    if (kind === "forms") addForm(content, type, add);
    if (kind === "workflows") addWorkflow(content, type, add);
    if (kind === "views") addView(content, type, add);
    if (kind === "navigation") {
      add(content.label, "navigation", null);
      for (const entry of objects(content.entries)) add(entry.label, "navigation", null, text(content.label));
    }
  }
  return [...found.values()];
}

type Add = (label: Json | undefined, kind: LabelKind, type: string | null, of?: string | null) => void;

const text = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);
const objects = (value: Json | undefined): readonly Content[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Content => typeof one === "object" && one !== null);

function addType({ key, label, plural, fields, associations }: RecordType, add: Add): void {
  add(label, "type", key);
  add(plural, "type", key);
  for (const field of fields) {
    add(field.label, "field", key);
    add(field.help, "help", key, field.label);
    typeOf(field).translate?.(field.settings, (option) => {
      add(option, "option", key, field.label);
      return option;
    });
  }
  for (const association of associations) add(association.label, "related", key);
}

function addForm({ name, definition }: Content, type: string | null, add: Add): void {
  add(name, "form", type);
  // Checked when it was saved.
  translateForm(definition as unknown as FormDefinition, (label) => {
    add(label, "form", type, text(name));
    return label;
  });
}

function addWorkflow({ name, definition }: Content, type: string | null, add: Add): void {
  const { stages, transitions } = (definition ?? {}) as Content;
  add(name, "workflow", type);
  for (const stage of objects(stages)) add(stage.name, "stage", type, text(name));
  for (const transition of objects(transitions)) add(transition.label, "transition", type, text(name));
}

function addView({ name, category, query }: Content, type: string | null, add: Add): void {
  add(name, "view", type);
  add(category, "category", type);
  const { columns } = (query ?? {}) as Content;
  for (const column of Object.values((columns ?? {}) as Content))
    add((column as Content).label, "view", type, text(name));
}
