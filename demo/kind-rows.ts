// The types and sub types of the CRM as rows, and their ids for the records that are sorted by them.
import { HOUR } from "./calendar.ts";
import { type DemoBatch, type DemoRow, type DemoValue, toRow } from "./row.ts";
import { administrator } from "./staff.ts";
import { kinds } from "./vocabulary.ts";

export type KindFields = { readonly type_id: string; readonly sub_type_id: string | null };

export interface KindRows {
  readonly batches: readonly DemoBatch[];
  fields(appliesTo: keyof typeof kinds, type: string, subType?: string): KindFields;
}

export function kindRows(start: number): KindRows {
  const types: DemoRow[] = [];
  const subTypes: DemoRow[] = [];
  const ids = new Map<string, string>();
  const add = (rows: DemoRow[], path: string, fields: Readonly<Record<string, DemoValue>>) => {
    const id = rows.length + 1;
    const record = { id, created: start + 7 * HOUR, author: administrator, owner: administrator, group: null };
    rows.push(toRow(record, fields));
    ids.set(path, String(id));
    return String(id);
  };
  for (const [appliesTo, byType] of Object.entries(kinds)) {
    for (const [index, [name, subNames]] of Object.entries<readonly string[]>(byType).entries()) {
      const sequence = String(index + 1);
      const typeId = add(types, `${appliesTo}/${name}`, { name, applies_to: appliesTo, sequence });
      for (const [subIndex, subName] of subNames.entries()) {
        const fields = { name: subName, type_id: typeId, sequence: String(subIndex + 1) };
        add(subTypes, `${appliesTo}/${name}/${subName}`, fields);
      }
    }
  }
  const idOf = (path: string) => {
    const id = ids.get(path);
    if (id === undefined) throw new RangeError(`there is no type ${path}`);
    return id;
  };
  return {
    batches: [
      { type: "crm/types", rows: types },
      { type: "crm/sub_types", rows: subTypes },
    ],
    fields: (appliesTo, type, subType) => ({
      type_id: idOf(`${appliesTo}/${type}`),
      sub_type_id: subType === undefined ? null : idOf(`${appliesTo}/${type}/${subType}`),
    }),
  };
}
