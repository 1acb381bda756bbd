// Takes all record types and a field; gives every use of it in definitions: computed fields, rules, unique sets, duplicate rules,
// related lists, names. Pure. What people keep in records (views, forms, workflows) is controllers/metadata/field-uses.ts.
import type { RecordType } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";

export interface DesignUse {
  readonly kind:
    | "formula"
    | "lookup"
    | "roll_up"
    | "rule"
    | "choices"
    | "default"
    | "unique"
    | "duplicates"
    | "related"
    | "name"
    | "currency"
    | "index";
  /** The record type where it is used. */
  readonly type: string;
  readonly label: string;
}

export function usesInTypes(snapshot: Snapshot, key: string, field: string): readonly DesignUse[] {
  const own = snapshot.types.get(key);
  return [
    ...(own ? usesInOwn(own, field) : []),
    ...[...snapshot.types.values()].flatMap((type) => usesIn(type, key, field)),
  ];
}

function usesInOwn(type: RecordType, field: string): readonly DesignUse[] {
  const of = (kind: DesignUse["kind"], label: string): DesignUse => ({ kind, type: type.key, label });
  const labels = (names: readonly string[]): string =>
    names.map((name) => type.field.get(name)?.label ?? name).join(", ");
  const has = (names: readonly string[]): boolean => names.some((name) => name.split(".")[0] === field);
  return [
    ...(type.displayField === field || type.sortField === field ? [of("name", type.label)] : []),
    ...type.rules
      .filter(({ reads, places }) => reads.has(field) || places.includes(field))
      .map((rule) => of("rule", rule.message)),
    ...type.unique.filter(has).map((names) => of("unique", labels(names))),
    ...type.duplicates.filter(has).map((names) => of("duplicates", names.join(", "))),
    ...type.indexes.filter(has).map((names) => of("index", labels(names))),
    ...type.fields
      .filter(
        ({ settings }) =>
          typeof settings === "object" &&
          settings !== null &&
          "currencyField" in settings &&
          settings.currencyField === field,
      )
      .map(({ label }) => of("currency", label)),
  ];
}

function usesIn(type: RecordType, key: string, field: string): readonly DesignUse[] {
  const found: DesignUse[] = [];
  for (const [name, computation] of type.computed) {
    const label = type.field.get(name)?.label ?? name;
    if (computation.kind === "formula" && type.key === key && computation.own.has(field)) {
      found.push({ kind: "formula", type: type.key, label });
    }
    if (computation.kind === "lookup") {
      const [first] = computation.steps;
      const starts = type.key === key && first?.via === field;
      if (starts || computation.steps.some((step) => step.type === key && step.field === field)) {
        found.push({ kind: "lookup", type: type.key, label });
      }
    }
    if (computation.kind === "roll-up" && computation.type === key && computation.from.has(field)) {
      found.push({ kind: "roll_up", type: type.key, label });
    }
  }
  for (const [name, { target, theirs, own }] of type.choices) {
    if ((target === key && theirs.has(field)) || (type.key === key && name !== field && own.has(field))) {
      found.push({ kind: "choices", type: type.key, label: type.field.get(name)?.label ?? name });
    }
  }
  for (const [name, { via, target, field: source }] of type.startsFrom) {
    if ((target === key && source === field) || (type.key === key && name !== field && via === field)) {
      found.push({ kind: "default", type: type.key, label: type.field.get(name)?.label ?? name });
    }
  }
  for (const one of type.associations) {
    const isTie =
      (one.kind === "has-many" && one.type === key && one.via === field) ||
      (one.kind === "has-many-through" && one.through === key && (one.via === field || one.to === field));
    if (isTie) found.push({ kind: "related", type: type.key, label: one.label });
  }
  for (const names of type.duplicates) {
    for (const path of names) {
      const [children = "", inner] = path.split(".");
      const association = inner === field ? type.association.get(children) : undefined;
      if (association && "type" in association && association.type === key) {
        found.push({ kind: "duplicates", type: type.key, label: path });
      }
    }
  }
  return found;
}
