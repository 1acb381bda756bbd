// Takes a design to be saved, and as it is stored; refuses conditions that compare a choice with an option it does not have. Conditions
// that are stored in the same words are left alone, so a design can be changed after an option is gone.
import { type RecordRight, recordRights } from "../../../contract/permissions.ts";
import type { AccessPolicy, FieldDefinition, RecordTypeDefinition } from "../../../contract/record-type.ts";
import type { Field } from "../../fields/field-type.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import { targetOf } from "../compile.ts";
import { definitionRefused } from "../definition-refusal.ts";
import { grantOf, type PolicyFault } from "../policies/policy.ts";
import type { RecordType, RecordTypeKey } from "../record-type.ts";
import { unknownOptionsIn } from "./condition-options.ts";
import { OWN } from "./record-choices.ts";

type Types = ReadonlyMap<RecordTypeKey, RecordType>;

/** What of a design has conditions. */
interface Conditioned {
  readonly fields: readonly FieldDefinition[];
  /** Of an extension: what is different about fields that the service comes with. */
  readonly changed?: Readonly<Record<string, { readonly where?: string | undefined }>>;
  readonly rules?: RecordTypeDefinition["rules"] | undefined;
  readonly access?: AccessPolicy | undefined;
}

interface Placed {
  readonly at: string;
  readonly source: string;
  /** The type whose fields it names; none where that is not known. */
  readonly of: RecordType | undefined;
}

export function requireKnownOptions(types: Types, key: RecordTypeKey, design: Conditioned, stored?: Conditioned): void {
  const type = types.get(key);
  if (!type) return;
  const before = new Set(stored ? conditionsOf(types, type, stored).map(({ source }) => source) : []);
  const faults = conditionsOf(types, type, design).flatMap(({ at, source, of }): DesignFault[] => {
    if (before.has(source)) return [];
    const fieldOf = (name: string): Field | undefined =>
      name.startsWith(OWN) ? type.field.get(name.slice(OWN.length)) : of?.field.get(name);
    return unknownOptionsIn(fieldOf, source).map((wrong) => ({ at, wrong }));
  });
  if (faults.length > 0) throw definitionRefused(faults, key);
}

/** The same of a policy, by the rights it grants. */
export function policyOptionFaults(
  type: RecordType,
  policy: AccessPolicy,
  stored?: AccessPolicy,
): readonly PolicyFault[] {
  const before = new Set(recordRights.flatMap((right) => conditionsFor(stored, right)));
  return recordRights.flatMap((right) =>
    conditionsFor(policy, right)
      .filter((source) => !before.has(source))
      .flatMap((source) => unknownOptionsIn((name) => type.field.get(name), source))
      .map((wrong) => ({ right, wrong })),
  );
}

const conditionsOf = (
  types: Types,
  type: RecordType,
  { fields, changed = {}, rules = [], access }: Conditioned,
): readonly Placed[] => [
  ...Object.entries(changed).flatMap(([name, { where }]) => ofField(types, type, { name, where })),
  ...fields.flatMap((field) => ofField(types, type, field)),
  ...rules.map(({ name, formula }) => ({ at: `rules.${name}.formula`, source: formula, of: type })),
  ...recordRights.flatMap((right) =>
    conditionsFor(access, right).map((source) => ({ at: `access.${right}`, source, of: type })),
  ),
];

function ofField(
  types: Types,
  type: RecordType,
  { name, where, computed }: Pick<FieldDefinition, "name" | "computed"> & { readonly where?: string | undefined },
): readonly Placed[] {
  const at = `fields.${name}`;
  const field = type.field.get(name);
  const target = field && targetOf(field);
  const found: Placed[] = [];
  if (where !== undefined)
    found.push({ at: `${at}.where`, source: where, of: target === undefined ? undefined : types.get(target) });
  if (computed?.kind === "formula") found.push({ at: `${at}.computed.formula`, source: computed.formula, of: type });
  if (computed?.kind === "roll-up" && computed.where !== undefined)
    found.push({ at: `${at}.computed.where`, source: computed.where, of: types.get(computed.type) });
  return found;
}

const conditionsFor = (policy: AccessPolicy | undefined, right: RecordRight): readonly string[] =>
  (policy?.[right] ?? []).flatMap((entry) => grantOf(entry).when ?? []);
