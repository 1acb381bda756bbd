// Takes a record type and a caller; gives what an export of its records holds of their children, and of fields that are
// several values in one: the columns that an import takes again. What the caller cannot see is not among them. Pure.
import { fieldMask } from "../access/field-mask.ts";
import { type Field, isFilledIn } from "../fields/field-type.ts";
import { childTypeOf, type OwnedAssociation, ownedAssociations, tiesOf } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { type ColumnRef, resolveColumn, type Scope, unlessRefused } from "./column.ts";

export interface ExportedField {
  /** As a mapping of an import names it: `city`, `billing_address.city`. */
  readonly path: string;
  readonly title: string;
  readonly ref: ColumnRef;
  /** Of a reference: what its record is called, and not the value itself. */
  readonly isName: boolean;
}

export interface ExportedChildren {
  readonly association: OwnedAssociation;
  readonly type: RecordType;
  readonly fields: readonly ExportedField[];
}

/** Comments and files follow their record, and are never imported. */
export function planExportedChildren(scope: Scope): readonly ExportedChildren[] {
  const { snapshot, caller } = scope;
  return ownedAssociations(scope.type).flatMap((association): ExportedChildren[] => {
    const type = childTypeOf(snapshot, association);
    if (type.follows !== undefined || ("files" in association && association.files !== undefined)) return [];
    const { visible } = fieldMask(type, caller);
    const ties = new Set(tiesOf(association));
    const own = type.fields.filter(
      (field) => visible.has(field.name) && !ties.has(field.name) && !isFilledIn(field) && isText(field),
    );
    const inside = { ...scope, type };
    const id = type.field.get("id");
    const fields = [...(id ? [id] : []), ...own].flatMap((field) => fieldsOf(inside, field));
    return fields.length > 1 ? [{ association, type, fields }] : [];
  });
}

/** What a list says in one text and an import takes in several: the parts of an address. */
export function planParts(scope: Scope, ref: ColumnRef): readonly ExportedField[] {
  const { field, part, steps } = ref;
  return part !== undefined || steps.length > 0 || isFilledIn(field) ? [] : partsOf(scope, field);
}

/** Neither a file nor a number that the service gives. */
const isText = (field: Field): boolean => typeOf(field).fileRule === undefined && typeOf(field).running === undefined;

function fieldsOf(scope: Scope, field: Field): readonly ExportedField[] {
  const parts = partsOf(scope, field);
  if (parts.length > 0) return parts;
  const { name: path, label } = field;
  const ref = unlessRefused(() => resolveColumn(scope, path));
  if (!ref) return [];
  const target = field.system ? undefined : typeOf(field).target?.(field.settings);
  const named = target === undefined ? undefined : scope.snapshot.types.get(target);
  if (!named) return [{ path, title: field.name === "id" ? "Id" : label, ref, isName: false }];
  const name = unlessRefused(() => resolveColumn(scope, `${path}.${named.displayField}`));
  return [
    ...(name ? [{ path, title: label, ref: name, isName: true }] : []),
    { path, title: `${label} id`, ref, isName: false },
  ];
}

function partsOf(scope: Scope, field: Field): readonly ExportedField[] {
  const names = typeOf(field).inputSettings?.(field).parts;
  if (!Array.isArray(names)) return [];
  return typeOf(field)
    .columns(field)
    .flatMap((column, index) => {
      // The first column carries the field's own name: it is resolved by hand.
      const whole = unlessRefused(() => resolveColumn(scope, field.name));
      const part = String(names[index]);
      return whole
        ? [
            {
              path: `${field.name}.${part}`,
              title: `${field.label} (${part})`,
              ref: { ...whole, part: column.name, name: `${whole.name}.${part}` },
              isName: false,
            },
          ]
        : [];
    });
}
