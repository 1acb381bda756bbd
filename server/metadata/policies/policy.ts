// What a policy says beyond who people are: which fields of a record name them, and which conditions its records must meet. Takes a
// policy and its record type; gives what of a record has to be known, or what is wrong with it. Pure.
import type { Checked } from "../../../contract/formula/check-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { type RecordRight, recordRights } from "../../../contract/permissions.ts";
import type { AccessPolicy, Grantee, PolicyEntry } from "../../../contract/record-type.ts";
import { checkedFormula } from "../computed/compile-computed.ts";
import type { RecordType } from "../record-type.ts";

/** Each doubles the recipes that records may have, or multiplies them by the people named. */
const MOST_FACTS = 8;

/** Whom a field can name, by the type that it refers to. */
const named = {
  "access_controls/users": "user",
  "access_controls/groups": "group",
  "access_controls/roles": "role",
} as const;
export type NamedKind = (typeof named)[keyof typeof named];

/** What must be known of a record: whom a field names, or whether a condition holds. */
export type Fact =
  | { readonly kind: "field"; readonly key: string; readonly field: string; readonly names: NamedKind }
  | { readonly kind: "condition"; readonly key: string; readonly fields: ReadonlySet<string>; readonly holds: Checked };

export const grantOf = (entry: PolicyEntry): { readonly to: Grantee; readonly when: string | undefined } =>
  typeof entry === "string" ? { to: entry, when: undefined } : entry;

/** How a fact is called where it is kept. */
export const fieldKey = (grantee: Grantee): string | undefined => (grantee.startsWith("field:") ? grantee : undefined);
export const conditionKey = (when: string | undefined): string | undefined =>
  when === undefined ? undefined : `when:${when}`;

const keysOf = (entry: PolicyEntry): string[] => {
  const { to, when } = grantOf(entry);
  return [fieldKey(to), conditionKey(when)].filter((key) => key !== undefined);
};

/** What the policy wants to know of every record, each once. */
export const factKeys = (policy: AccessPolicy): readonly string[] => [
  ...new Set(recordRights.flatMap((right) => policy[right].flatMap(keysOf))),
];

/** References that a policy may speak of: whoever made a record never changes. */
function namedBy(type: RecordType, name: string): NamedKind | undefined {
  const field = type.field.get(name);
  if (!field || (field.system && name !== "created_by")) return undefined;
  const reference = type.associations.find((one) => one.kind === "belongs-to" && one.via === name);
  const target = reference && "type" in reference ? reference.type : undefined;
  // Any other type is none of the three.
  return target === undefined ? undefined : named[target as keyof typeof named];
}

/** The fields of a type that a policy can grant to. */
export const grantingFields = (type: RecordType): readonly string[] =>
  type.fields.flatMap(({ name }) => (namedBy(type, name) === undefined ? [] : [name]));

/** What the service writes by itself, or reads along with other records, is not looked at record by record. */
const isPlainOnly = ({ scope, appendOnly, refuses, follows }: RecordType): boolean =>
  scope === "shared" || appendOnly || refuses.add !== undefined || follows !== undefined;

const known = new WeakMap<RecordType, Map<string, Fact | Message>>();

/** Undefined parts of a design that changed meanwhile are no fact: what depends on one is granted to nobody. */
export function factOf(type: RecordType, key: string): Fact | undefined {
  const found = readFact(type, key);
  return "code" in found ? undefined : found;
}

function readFact(type: RecordType, key: string): Fact | Message {
  const ofType = known.get(type) ?? new Map<string, Fact | Message>();
  known.set(type, ofType);
  const before = ofType.get(key);
  if (before) return before;
  const fact = isPlainOnly(type) ? say("policy_plain_only", { types: type.plural }) : workOut(type, key);
  // Of sentences that somebody tries out, none is worth keeping.
  if (!("code" in fact) && ofType.size < 1_000) ofType.set(key, fact);
  return fact;
}

function workOut(type: RecordType, key: string): Fact | Message {
  if (key.startsWith("field:")) {
    const field = key.slice("field:".length);
    const names = namedBy(type, field);
    if (!type.field.has(field)) return say("missing_field", { name: field });
    return names === undefined ? say("policy_field", { name: field }) : { kind: "field", key, field, names };
  }
  const wrong: Message[] = [];
  const formula = checkedFormula(type, key.slice("when:".length), "truth", (fault) => wrong.push(fault));
  if (!formula) return wrong[0] ?? say("policy_system_field", { name: "" });
  const [system] = [...formula.fields].filter((name) => type.field.get(name)?.system ?? true);
  if (system !== undefined) return say("policy_system_field", { name: system });
  return { kind: "condition", key, fields: formula.fields, holds: formula.checked };
}

export interface PolicyFault {
  readonly right: RecordRight;
  readonly wrong: Message;
}

/** What of it the type has no sense for. */
export function policyFaults(type: RecordType, policy: AccessPolicy): readonly PolicyFault[] {
  const faults = recordRights.flatMap((right) =>
    policy[right].flatMap(keysOf).flatMap((key): PolicyFault[] => {
      const fact = readFact(type, key);
      return "code" in fact ? [{ right, wrong: fact }] : [];
    }),
  );
  if (faults.length === 0 && factKeys(policy).length > MOST_FACTS) {
    return [{ right: "read", wrong: say("policy_too_many", { max: MOST_FACTS }) }];
  }
  return faults;
}

/** The fields that a fact is read from. */
export const fieldsOfFact = (fact: Fact): readonly string[] =>
  fact.kind === "field" ? [fact.field] : [...fact.fields];

/** The fields of a record that a policy depends on. */
export const policyFields = (type: RecordType, policy: AccessPolicy): ReadonlySet<string> =>
  new Set(
    factKeys(policy).flatMap((key) => {
      const fact = factOf(type, key);
      return fact ? fieldsOfFact(fact) : [];
    }),
  );
