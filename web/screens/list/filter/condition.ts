// The conditions of a list as a person builds them: groups of conditions within groups. Reads and writes the `where` of
// the wire; what is not complete yet is not written.

export const operators = [
  "=",
  "!=",
  "contains",
  "starts with",
  "ends with",
  "<",
  "<=",
  ">",
  ">=",
  "between",
  "in",
  "not in",
  "is null",
  "is not null",
] as const;
export type Operator = (typeof operators)[number];

export interface Leaf {
  readonly kind: "leaf";
  readonly column: string;
  readonly operator: Operator;
  /** None for `is null`, two for `between`, any number for `in`, else one. */
  readonly values: readonly string[];
}

export interface Group {
  readonly kind: "group";
  readonly join: "and" | "or";
  readonly not: boolean;
  readonly of: readonly Condition[];
}

export type Condition = Leaf | Group;

export const groupOf = (of: readonly Condition[], join: Group["join"] = "and", not = false): Group => ({
  kind: "group",
  join,
  not,
  of,
});

export const emptyFilterValue: Group = groupOf([]);

/** How deep groups may stand within groups: each may take two of the eight levels of the wire. */
export const MOST_DEEP = 3;

type Entry = Readonly<Record<string, unknown>>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What cannot be read is left out: the service has refused it already, or will. */
export function readWhere(where: unknown): Group {
  const parts = partsOf(where);
  const [only] = parts;
  // A single group at the top is the whole.
  return parts.length === 1 && only?.kind === "group" ? only : groupOf(parts);
}

function partsOf(value: unknown): readonly Condition[] {
  if (Array.isArray(value)) {
    return value.filter(isEntry).flatMap((item) => {
      const parts = partsOf(item);
      return parts.length > 1 ? [groupOf(parts)] : parts;
    });
  }
  return isEntry(value) ? Object.entries(value).flatMap(([name, inner]) => readEntry(name, inner) ?? []) : [];
}

function readEntry(name: string, value: unknown): Condition | undefined {
  const word = name.toUpperCase();
  if (word === "AND") return groupOf(partsOf(value));
  if (word === "OR") return groupOf(partsOf(value), "or");
  if (word !== "NOT") return readLeaf(name, value);
  const parts = partsOf(value);
  const [only] = parts;
  return parts.length === 1 && only?.kind === "group" && !only.not
    ? { ...only, not: true }
    : groupOf(parts, "and", true);
}

export const textOf = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "number" || typeof value === "boolean"
      ? [value === true ? "1" : value === false ? "0" : String(value)]
      : [];

/** However it is spaced and written, as the service reads it. */
export function operatorOf(sent: unknown): Operator | undefined {
  const word = typeof sent === "string" ? sent.trim().toLowerCase().replace(/\s+/gu, " ") : undefined;
  return operators.find((known) => known === word);
}

function readLeaf(column: string, value: unknown): Leaf | undefined {
  if (value === null) return { kind: "leaf", column, operator: "is null", values: [] };
  if (Array.isArray(value)) return { kind: "leaf", column, operator: "in", values: value.flatMap(textOf) };
  if (!isEntry(value)) return { kind: "leaf", column, operator: "=", values: textOf(value) };
  const operator = operatorOf(value.op);
  if (operator === undefined) return undefined;
  if (value.value === null && (operator === "=" || operator === "!=")) {
    return { kind: "leaf", column, operator: operator === "=" ? "is null" : "is not null", values: [] };
  }
  return {
    kind: "leaf",
    column,
    operator,
    values: Array.isArray(value.value) ? value.value.flatMap(textOf) : textOf(value.value),
  };
}

export const takesNone = (operator: Operator): boolean => operator === "is null" || operator === "is not null";
export const takesMany = (operator: Operator): boolean => operator === "in" || operator === "not in";

export function isComplete({ column, operator, values }: Leaf): boolean {
  if (column === "") return false;
  if (takesNone(operator)) return true;
  const filled = values.filter((value) => value !== "").length;
  return operator === "between" ? filled === 2 : filled > 0;
}

/** Undefined where nothing is complete. */
export function writeWhere(group: Group): readonly Entry[] | undefined {
  const written = writeGroup(group);
  if (written === undefined) return undefined;
  return !group.not && group.join === "and" && Array.isArray(written.AND) ? written.AND : [written];
}

function writeGroup({ join, not, of }: Group): Entry | undefined {
  const parts = of.flatMap((condition) => writeCondition(condition) ?? []);
  if (parts.length === 0) return undefined;
  const inner = { [join === "and" ? "AND" : "OR"]: parts };
  return not ? { NOT: inner } : inner;
}

function writeCondition(condition: Condition): Entry | undefined {
  if (condition.kind === "group") return writeGroup(condition);
  if (!isComplete(condition)) return undefined;
  const { column, operator, values } = condition;
  const [first = ""] = values;
  if (operator === "is null") return { [column]: null };
  if (operator === "is not null") return { [column]: { op: operator } };
  if (operator === "=") return { [column]: first };
  const many = takesMany(operator) || operator === "between";
  return { [column]: { op: operator, value: many ? values.filter((value) => value !== "") : first } };
}

/** The same tree with what stands at the path put, or taken out. */
export function replaceAt(group: Group, path: readonly number[], next: Condition | undefined): Group {
  const [index, ...rest] = path;
  if (index === undefined) return group;
  const of = group.of.flatMap((condition, position): readonly Condition[] => {
    if (position !== index) return [condition];
    if (rest.length > 0) return condition.kind === "group" ? [replaceAt(condition, rest, next)] : [condition];
    return next === undefined ? [] : [next];
  });
  return { ...group, of };
}

export const leavesOf = (condition: Condition): readonly Leaf[] =>
  condition.kind === "leaf" ? [condition] : condition.of.flatMap(leavesOf);

/** Both must hold. */
export const alongside = (group: Group, condition: Condition): Group =>
  group.of.length === 0
    ? groupOf([condition])
    : group.join === "and" && !group.not
      ? { ...group, of: [...group.of, condition] }
      : groupOf([group, condition]);
