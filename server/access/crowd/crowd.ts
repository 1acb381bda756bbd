// Takes everybody of an organization at once; gives which of them see records with a set: the rule (rule.ts), with people counted as bits, so
// that thousands of them are compared with thousands of sets. Pure.

import type { RecordType } from "../../metadata/record-type.ts";
import { type AclSets, aclText } from "../acl.ts";
import { isAmong, isHeldBack, isPermitted, mayAny, type Roles, ruleOf } from "../rule.ts";

/** One of them, with everything that decides what they see. */
export interface Seeing extends Roles {
  readonly principals: ReadonlySet<number>;
}

export type Readers = Pick<AclSets, "readers">;

/** Equal for those whom the same people read. */
export const readersText = ({ readers }: Readers): string => aclText(readers) ?? "";

export type Bits = Uint32Array;

/** Which of the people pass, are named by a principal, and may look at the type at all. */
export class Crowd {
  private readonly byPrincipal = new Map<number, Bits>();
  private readonly permitted: Bits;
  private readonly passing: Bits;
  private readonly type: RecordType;
  private readonly persons: readonly Seeing[];

  constructor(persons: readonly Seeing[], type: RecordType) {
    this.persons = persons;
    this.type = type;
    const rule = ruleOf(type, "read");
    this.permitted = this.those((person) => isPermitted(person, type, "index") || isPermitted(person, type, "view"));
    this.passing = this.those((person) => isAmong(rule.passes, person));
    for (const [index, { principals }] of persons.entries()) {
      for (const principal of principals) {
        const bits = this.byPrincipal.get(principal) ?? this.nobody();
        set(bits, index);
        this.byPrincipal.set(principal, bits);
      }
    }
  }

  nobody(): Bits {
    return new Uint32Array(Math.ceil(this.persons.length / 32));
  }

  private those(which: (person: Seeing) => boolean): Bits {
    const bits = this.nobody();
    for (const [index, person] of this.persons.entries()) if (which(person)) set(bits, index);
    return bits;
  }

  /** Who sees records with these readers; the same rule as `holds`. */
  seeing({ readers }: Readers, subjects: readonly string[]): Bits {
    const rule = ruleOf(this.type, "read");
    const seen = this.nobody();
    for (const principal of readers) or(seen, this.byPrincipal.get(principal));
    if (rule.needs.length > 0 && subjects.length > 0) {
      and(
        seen,
        this.those((person) => subjects.every((key) => mayAny(person, key, rule.needs))),
      );
    }
    if (!isHeldBack(rule, subjects)) or(seen, this.passing);
    and(seen, this.permitted);
    return seen;
  }
}

const set = (bits: Bits, index: number): void => {
  bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
};
const or = (into: Bits, bits: Bits | undefined): void => {
  if (bits) for (let at = 0; at < into.length; at += 1) into[at] = (into[at] ?? 0) | (bits[at] ?? 0);
};
const and = (into: Bits, bits: Bits): void => {
  for (let at = 0; at < into.length; at += 1) into[at] = (into[at] ?? 0) & (bits[at] ?? 0);
};

/** Who of these is not among the others, by their places. */
export function without(bits: Bits, others: Bits): number[] {
  const found: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let rest = (bits[at] ?? 0) & ~(others[at] ?? 0); rest !== 0; rest &= rest - 1) {
      found.push(at * 32 + (31 - Math.clz32(rest & -rest)));
    }
  }
  return found;
}
