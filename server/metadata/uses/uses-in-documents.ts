// Takes a form, a workflow, a policy, a view's query or a webhook's condition as it is stored; gives the fields of a type that it uses.
// Pure: reads what the document itself says, through the languages that it is written in.
import { fieldsOf, parseCondition } from "../../../contract/conditions.ts";
import { fieldsOfExpression, parseExpression, parseTemplate } from "../../../contract/expressions.ts";
import { fieldsOfFormula, parseFormula } from "../../../contract/formula/parse-formula.ts";
import type { RecordType } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import { fieldsOnPath } from "./field-path.ts";

/** Deeper than any document is. */
const DEEPEST = 40;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

const conditionNames = (text: unknown): readonly string[] => {
  const parsed = typeof text === "string" ? parseCondition(text) : undefined;
  return parsed?.ok ? [...fieldsOf(parsed.condition)] : [];
};
/** A condition of a policy is a formula. */
const formulaNames = (text: unknown): readonly string[] => {
  const parsed = typeof text === "string" ? parseFormula(text) : undefined;
  return parsed?.ok ? fieldsOfFormula(parsed.formula) : [];
};
const expressionNames = (text: unknown): readonly string[] => {
  const parsed = typeof text === "string" ? parseExpression(text) : undefined;
  return parsed?.ok ? [...fieldsOfExpression(parsed.expression)] : [];
};
const templateNames = (text: unknown): readonly string[] => {
  const parsed = typeof text === "string" ? parseTemplate(text) : undefined;
  if (!parsed?.ok) return [];
  return parsed.template.flatMap((part) => (typeof part === "string" ? [] : [...fieldsOfExpression(part)]));
};
const names = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => (typeof one === "string" ? [one] : []));
/** `field:technician_id`, `email:contact`. */
const actorNames = (value: unknown): readonly string[] =>
  names(value).flatMap((name) => (/^(?:field|email):/u.test(name) ? [name.slice(name.indexOf(":") + 1)] : []));

interface Place {
  readonly snapshot: Snapshot;
  readonly type: RecordType;
}

/** Every path that a document names, from records of its type; those of other types come with theirs. */
type Found = (path: string, type?: RecordType) => void;

function walk(value: unknown, depth: number, visit: (tree: Tree) => void): void {
  if (depth > DEEPEST) return;
  if (Array.isArray(value)) for (const one of value) walk(one, depth + 1, visit);
  else if (isTree(value)) {
    visit(value);
    for (const one of Object.values(value)) walk(one, depth + 1, visit);
  }
}

function inForm({ snapshot, type }: Place, found: Found) {
  return (tree: Tree): void => {
    for (const name of names(tree.field)) found(name);
    for (const text of [tree.if_condition, tree.required_if]) for (const name of conditionNames(text)) found(name);
    const association = typeof tree.grid === "string" ? type.association.get(tree.grid) : undefined;
    const child = association && "type" in association ? snapshot.types.get(association.type) : undefined;
    if (child) for (const name of names(tree.columns)) found(name, child);
  };
}

function inWorkflow({ snapshot }: Place, found: Found) {
  return (tree: Tree): void => {
    for (const text of [tree.condition, tree.when]) for (const name of conditionNames(text)) found(name);
    for (const name of [...names(tree.stage_field), ...names(tree.fixed), ...names(tree.required)]) found(name);
    for (const who of [tree.actors, tree.by, tree.to]) for (const name of actorNames(who)) found(name);
    for (const text of [tree.subject, tree.text]) for (const name of templateNames(text)) found(name);
    if (isTree(tree.set)) {
      for (const [name, text] of Object.entries(tree.set))
        for (const one of [name, ...expressionNames(text)]) found(one);
    }
    const made = typeof tree.create === "string" ? snapshot.types.get(tree.create) : undefined;
    if (made && isTree(tree.values)) {
      for (const [name, text] of Object.entries(tree.values)) {
        found(name, made);
        for (const one of expressionNames(text)) found(one);
      }
    }
  };
}

function inPolicy(found: Found) {
  return (tree: Tree): void => {
    for (const [key, value] of Object.entries(tree)) {
      for (const name of actorNames(value)) found(name);
      if (key === "when") for (const name of formulaNames(value)) found(name);
    }
  };
}

/** Of a query every text that leads somewhere: columns stand in many places, values seldom look like one. */
function inQuery(query: unknown, found: Found): void {
  const each = (text: string): void => {
    const inner = /^\w{2,8}\(([^()]{1,200})\)/u.exec(text)?.[1] ?? text;
    found(inner.split(" ")[0] ?? "");
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > DEEPEST) return;
    if (typeof value === "string") each(value);
    else if (Array.isArray(value)) for (const one of value) visit(one, depth + 1);
    else if (isTree(value)) {
      for (const [key, one] of Object.entries(value)) {
        each(key);
        visit(one, depth + 1);
      }
    }
  };
  visit(query, 0);
}

/** What each transition of a workflow depends on: fields of its condition, and those that name who can take it. */
export function transitionFields(
  definition: unknown,
): readonly { readonly label: string; readonly fields: readonly string[] }[] {
  const transitions = isTree(definition) && Array.isArray(definition.transitions) ? definition.transitions : [];
  return transitions.filter(isTree).map(({ label, condition, by }) => {
    const who = names(by);
    const named = actorNames(by);
    // Others may take it too.
    const alone = named.length === who.length ? named : [];
    return { label: String(label), fields: [...conditionNames(condition), ...alone] };
  });
}

/** What the conditions of a workflow ask for: of its transitions, and of what it does besides. */
export function fieldsInConditions(definition: unknown): readonly string[] {
  const found: string[] = [];
  walk(definition, 0, (tree) => found.push(...conditionNames(tree.condition), ...conditionNames(tree.when)));
  return found;
}

export type DocumentKind = "view" | "form" | "workflow" | "policy" | "webhook";

/** `key`: the type whose fields are wanted; the document's own is `place.type`. */
export function fieldsUsed(kind: DocumentKind, document: unknown, place: Place, key: string): readonly string[] {
  const used = new Set<string>();
  const found: Found = (path, type = place.type) => {
    for (const one of fieldsOnPath(place.snapshot, type, path) ?? []) if (one.type === key) used.add(one.field);
  };
  if (kind === "view" || kind === "webhook") inQuery(document, found);
  else if (kind === "form") walk(document, 0, inForm(place, found));
  else if (kind === "workflow") walk(document, 0, inWorkflow(place, found));
  else walk(document, 0, inPolicy(found));
  return [...used];
}
