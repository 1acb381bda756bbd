// Takes all record types; checks their computed fields against one another and gives the order to work them out in. Each type gets its
// computations; a formula that cannot be, a circle or a value of what nobody may show refuses the type, with the place.
import { type Checked, checkFormula, type ValueKind } from "../../../contract/formula/check-formula.ts";
import type { ResultShape } from "../../../contract/formula/evaluate-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { Field } from "../../fields/field-type.ts";
import { fieldTypes } from "../../fields/index.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType, RecordTypeKey } from "../record-type.ts";
import type { Computation, ComputedStep, Crossing, LookupStep, Reading } from "./computation.ts";
import { openSystemFields } from "./shape.ts";

type Types = Map<RecordTypeKey, RecordType>;

/** Computed fields of one type; what a save costs is bounded by them. */
const MOST_COMPUTED = 100;
/** One after the other, over all types. */
const DEEPEST = 10;

const idOf = (type: RecordTypeKey, field: string): string => `${type} ${field}`;

/** Replaces the types that have computed fields by themselves with their computations. */
export function compileComputed(types: Types): readonly ComputedStep[] {
  const plans = new Map<string, Plan>();
  for (const type of types.values()) {
    const fields = type.fields.filter(({ computed }) => computed !== undefined);
    if (fields.length === 0) continue;
    const faults: DesignFault[] = [];
    if (fields.length > MOST_COMPUTED)
      faults.push({ at: "fields", wrong: say("too_many_computed", { max: MOST_COMPUTED }) });
    for (const field of fields) {
      const plan = planOf(types, type, field, (part, wrong) =>
        faults.push({ at: `fields.${field.name}.computed${part === "" ? "" : `.${part}`}`, wrong }),
      );
      if (plan) plans.set(idOf(type.key, field.name), plan);
    }
    if (faults.length > 0) throw definitionRefused(faults, type.key);
  }
  if (plans.size === 0) return [];
  const done = new Map<string, Computation>();
  for (const id of plans.keys()) settle(id, plans, done, []);
  for (const type of [...types.values()]) {
    const own = type.fields.flatMap(({ name }) => {
      const found = done.get(idOf(type.key, name));
      return found ? [[name, found] as const] : [];
    });
    if (own.length > 0) types.set(type.key, Object.freeze({ ...type, computed: new Map(own) }));
  }
  return stepsOf(types);
}

function stepsOf(types: Types): readonly ComputedStep[] {
  const steps: { layer: number; step: ComputedStep }[] = [];
  for (const type of [...types.values()].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const layers = new Map<number, string[]>();
    for (const [name, { layer }] of type.computed) layers.set(layer, [...(layers.get(layer) ?? []), name]);
    for (const [layer, fields] of layers) steps.push({ layer, step: { type: type.key, fields } });
  }
  return steps.sort((a, b) => a.layer - b.layer).map(({ step }) => step);
}

/** A computation without what follows from the others. */
interface Plan {
  readonly owner: RecordType;
  readonly field: Field;
  readonly computation: Unlayered;
  /** What it is worked out from directly. */
  readonly from: readonly { readonly type: RecordType; readonly field: Field }[];
  readonly crosses: readonly Crossing[];
}
type Without<One, Key extends keyof One> = One extends unknown ? Omit<One, Key> : never;
type Unlayered = Without<Computation, "layer" | "reads" | "crosses">;

function settle(
  id: string,
  plans: ReadonlyMap<string, Plan>,
  done: Map<string, Computation>,
  trail: readonly string[],
): Computation {
  const known = done.get(id);
  if (known) return known;
  const plan = plans.get(id);
  if (!plan) throw new Error(`no computed field ${id}`);
  const { owner, field } = plan;
  const refuse = (wrong: Message): never => {
    throw definitionRefused([{ at: `fields.${field.name}.computed`, wrong }], owner.key);
  };
  if (trail.includes(id)) {
    const circle = [...trail.slice(trail.indexOf(id)), id].map((one) => labelOf(plans.get(one)));
    return refuse(say("computed_circle", { path: circle.join(" → ") }));
  }
  const reads = new Map<string, Reading>();
  const crosses = [...plan.crosses];
  let layer = 0;
  for (const source of plan.from) {
    const from = idOf(source.type.key, source.field.name);
    reads.set(from, { type: source.type.key, field: source.field.name, permission: source.field.permission });
    if (!source.field.computed) continue;
    const before = settle(from, plans, done, [...trail, id]);
    layer = Math.max(layer, before.layer + 1);
    for (const one of before.reads) reads.set(idOf(one.type, one.field), one);
    crosses.push(...before.crosses);
  }
  if (layer >= DEEPEST) refuse(say("computed_too_deep", { max: DEEPEST }));
  const computation: Computation = { ...plan.computation, layer, reads: [...reads.values()], crosses };
  done.set(id, computation);
  return computation;
}

const labelOf = (plan: Plan | undefined): string => (plan ? `${plan.owner.label}: ${plan.field.label}` : "");

type Refuse = (part: string, wrong: Message) => void;

function planOf(types: Types, type: RecordType, field: Field, refuse: Refuse): Plan | undefined {
  const { computed } = field;
  switch (computed?.kind) {
    case undefined:
      return undefined;
    case "formula": {
      const result = resultOf(field, refuse);
      const checked =
        result && checkedFormula(type, computed.formula, result.kind, (wrong) => refuse("formula", wrong));
      if (!result || !checked) return undefined;
      const from = [...checked.fields].flatMap((name) => fieldOf(type, name));
      const computation = {
        kind: "formula",
        checked: checked.checked,
        shape: result.shape,
        own: checked.fields,
      } as const;
      return { owner: type, field, computation, from, crosses: [] };
    }
    case "lookup":
      return lookupPlan(types, type, field, computed, refuse);
    case "roll-up":
      return rollUpPlan(types, type, field, computed, refuse);
  }
}

const fieldOf = (type: RecordType, name: string) => {
  const field = type.field.get(name);
  return field ? [{ type, field }] : [];
};

/** Of fields that a value may be derived from. */
function openField(type: RecordType, name: string): Field | undefined {
  const field = type.field.get(name);
  if (!field) return undefined;
  return field.system &&
    !field.computed &&
    fieldTypes[field.type].running === undefined &&
    !openSystemFields.includes(name)
    ? undefined
    : field;
}

/** Also by a name that it had before: a lookup of another type goes on when the field is renamed. */
const namedField = (type: RecordType, name: string): Field | undefined =>
  openField(type, type.fieldAliases.get(name) ?? name);

function resultOf(field: Field, refuse: Refuse): { readonly kind: ValueKind; readonly shape: ResultShape } | undefined {
  const type = fieldTypes[field.type];
  const shape = type.result?.(field);
  if (type.value === undefined || !shape) {
    refuse("", say("no_formula_result", { type: type.label }));
    return undefined;
  }
  return { kind: type.value, shape };
}

export function checkedFormula(
  type: RecordType,
  source: string,
  wanted: ValueKind,
  refuse: (wrong: Message) => void,
): { readonly checked: Checked; readonly fields: ReadonlySet<string> } | undefined {
  const parsed = parseFormula(source);
  if (!parsed.ok) {
    refuse(parsed.error);
    return undefined;
  }
  const kindOf = (name: string) => {
    const field = openField(type, name);
    return field ? (fieldTypes[field.type].value ?? null) : undefined;
  };
  const checked = checkFormula(parsed.formula, kindOf, wanted);
  if (checked.ok) return checked;
  refuse(checked.error);
  return undefined;
}

/** Who reads what stands behind a value; undefined, and refused, where nobody may show it. */
function crossingOf(
  type: RecordType,
  how: { readonly comesAlong: boolean; readonly reveals: boolean | undefined },
  refuse: (wrong: Message) => void,
): Crossing | undefined {
  if (type.confidential || type.follows !== undefined || type.about !== undefined || type.movesUnlogged) {
    refuse(say("not_computed_from", { type: type.plural }));
    return undefined;
  }
  return {
    type: type.key,
    read: type.access.read,
    comesAlong: how.comesAlong || type.scope === "shared",
    isPersonal: type.personalFlag !== undefined,
    reveals: how.reveals ?? false,
  };
}

function lookupPlan(
  types: Types,
  type: RecordType,
  field: Field,
  computed: Extract<NonNullable<Field["computed"]>, { kind: "lookup" }>,
  refuse: Refuse,
): Plan | undefined {
  const references: { readonly via: string; readonly type: RecordTypeKey }[] = [];
  const from: Plan["from"][number][] = [];
  const crosses: Crossing[] = [];
  let at = type;
  for (const via of computed.through) {
    const reference = namedField(at, via);
    const next = reference && types.get(fieldTypes[reference.type].target?.(reference.settings) ?? "");
    if (!reference || !next) {
      refuse("through", reference ? say("no_reference", { name: via }) : say("missing_field", { name: via }));
      return undefined;
    }
    if (reference.computed) {
      refuse("through", say("no_reference", { name: via }));
      return undefined;
    }
    const crossing = crossingOf(next, { comesAlong: false, reveals: computed.reveals }, (wrong) =>
      refuse("through", wrong),
    );
    if (!crossing) return undefined;
    from.push({ type: at, field: reference });
    crosses.push(crossing);
    references.push({ via: reference.name, type: next.key });
    at = next;
  }
  const target = namedField(at, computed.field);
  if (!target) {
    refuse("field", say("missing_field", { name: computed.field }));
    return undefined;
  }
  from.push({ type: at, field: target });
  const steps = references.map(
    (one, index): LookupStep => ({ ...one, field: references[index + 1]?.via ?? target.name }),
  );
  const own = new Set(references.slice(0, 1).map(({ via }) => via));
  return { owner: type, field, computation: { kind: "lookup", steps, own }, from, crosses };
}

function rollUpPlan(
  types: Types,
  type: RecordType,
  field: Field,
  computed: Extract<NonNullable<Field["computed"]>, { kind: "roll-up" }>,
  refuse: Refuse,
): Plan | undefined {
  const child = types.get(computed.type);
  const reference = child && openField(child, computed.via);
  if (
    !child ||
    !reference ||
    reference.computed ||
    fieldTypes[reference.type].target?.(reference.settings) !== type.key
  ) {
    refuse("via", say("no_reference_to", { type: computed.type, field: computed.via, target: type.key }));
    return undefined;
  }
  // Nothing finds records by their author but reading all of them.
  if (computed.via === "created_by") {
    refuse("via", say("roll_up_by_author"));
    return undefined;
  }
  const comesAlong = type.associations.some(
    (one) => one.kind === "has-many" && one.owned === true && one.type === child.key && one.via === computed.via,
  );
  const crossing = crossingOf(child, { comesAlong, reveals: computed.reveals }, (wrong) => refuse("type", wrong));
  const result = resultOf(field, refuse);
  const target = computed.field === undefined ? undefined : openField(child, computed.field);
  if (!crossing || !result) return undefined;
  const wrong = targetFault(computed, child, target, result.kind);
  if (wrong) {
    refuse("field", wrong);
    return undefined;
  }
  const where =
    computed.where === undefined
      ? undefined
      : checkedFormula(child, computed.where, "truth", (fault) => refuse("where", fault));
  if (computed.where !== undefined && !where) return undefined;
  const names = new Set([computed.via, ...(target ? [target.name] : []), ...(where?.fields ?? [])]);
  const from = [...names].flatMap((name) => fieldOf(child, name));
  return {
    owner: type,
    field,
    computation: {
      kind: "roll-up",
      type: child.key,
      via: computed.via,
      function: computed.function,
      field: target?.name,
      where: where?.checked,
      from: new Set([...names, "deleted"]),
      shape: result.shape,
      own: new Set(),
    },
    from,
    crosses: [crossing],
  };
}

function targetFault(
  { function: name, field }: Extract<NonNullable<Field["computed"]>, { kind: "roll-up" }>,
  child: RecordType,
  target: Field | undefined,
  result: ValueKind,
): Message | undefined {
  if (field === undefined) {
    if (name !== "count") return say("roll_up_needs_field", { name });
    return result === "number" ? undefined : say("roll_up_gives", { name, kind: say("kind_number") });
  }
  const type = target && fieldTypes[target.type];
  if (!target || !type) return say("missing_field", { name: field });
  if (type.value === undefined) return say("field_without_value", { name: field });
  if (name === "count")
    return result === "number" ? undefined : say("roll_up_gives", { name, kind: say("kind_number") });
  if (type.hasOwnCurrency?.(target.settings))
    return say("several_currencies", { field: target.label, type: child.plural });
  const isNumber = type.value === "number";
  if ((name === "sum" || name === "average") && !isNumber) return say("only_numbers", { name });
  if (!isNumber && type.value !== "date" && type.value !== "instant") return say("only_ordered", { name });
  return type.value === result ? undefined : say("roll_up_gives", { name, kind: say(`kind_${type.value}`) });
}
