// Takes records by their recipes, and people with the rules before and after a change; gives who comes to see how many records and who no
// longer does. Pure. People are counted as bits: with thousands of them and of recipes, everybody is compared with everything.
import { type AclSets, aclText } from "../../access/acl.ts";
import { isAmong, isHeldBack, isPermitted, mayLook, ruleOf } from "../../access/rule.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Person } from "./people.ts";

/** Records that the rules treat alike. */
export interface Cell {
  /** How many; of a sample a share of all. */
  readonly weight: number;
  /** Where to find some: their set, or a record of the sample. */
  readonly aclId?: string;
  readonly id?: string;
  readonly subjects: readonly string[];
  readonly before: Pick<AclSets, "readers">;
  readonly after: Pick<AclSets, "readers">;
}

export interface Difference {
  readonly records: number;
  /** By how many records, most first. */
  readonly people: readonly { readonly id: string; readonly name: string; readonly records: number }[];
  /** Some of those whose records they are. */
  readonly cells: readonly Cell[];
}

type Bits = Uint32Array;

/** Which of the people pass, are named by a principal, and may look at the type at all. */
class Crowd {
  private readonly byPrincipal = new Map<number, Bits>();
  private readonly permitted: Bits;
  private readonly passing: Bits;
  private readonly type: RecordType;
  private readonly persons: readonly Person[];

  constructor(persons: readonly Person[], type: RecordType) {
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

  private those(which: (person: Person) => boolean): Bits {
    const bits = this.nobody();
    for (const [index, person] of this.persons.entries()) if (which(person)) set(bits, index);
    return bits;
  }

  /** Who sees records with these readers; the same rule as `holds`. */
  seeing(readers: readonly number[], subjects: readonly string[]): Bits {
    const rule = ruleOf(this.type, "read");
    const seen = this.nobody();
    for (const principal of readers) or(seen, this.byPrincipal.get(principal));
    if (rule.looks && subjects.length > 0) {
      and(
        seen,
        this.those((person) => subjects.every((key) => mayLook(person, key))),
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

function without(bits: Bits, others: Bits): number[] {
  const found: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let rest = (bits[at] ?? 0) & ~(others[at] ?? 0); rest !== 0; rest &= rest - 1) {
      found.push(at * 32 + (31 - Math.clz32(rest & -rest)));
    }
  }
  return found;
}

/** Cells to look for examples in. */
const MOST_CELLS = 50;

/** `before` and `after`: the same people in the same order. */
export function compareCells(
  type: RecordType,
  people: { readonly before: readonly Person[]; readonly after: readonly Person[] },
  cells: readonly Cell[],
): { readonly gained: Difference; readonly lost: Difference } {
  const [was, is] = [new Crowd(people.before, type), new Crowd(people.after, type)];
  const gained = new Tally(people.after);
  const lost = new Tally(people.after);
  for (const alike of groupedCells(cells)) {
    const [one] = alike;
    if (!one) continue;
    const before = was.seeing(one.before.readers, one.subjects);
    const after = is.seeing(one.after.readers, one.subjects);
    gained.add(alike, without(after, before));
    lost.add(alike, without(before, after));
  }
  return { gained: gained.difference(), lost: lost.difference() };
}

function groupedCells(cells: readonly Cell[]): Iterable<readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = `${aclText(cell.before.readers)}|${aclText(cell.after.readers)}|${cell.subjects.join()}`;
    const known = groups.get(key);
    if (known) known.push(cell);
    else groups.set(key, [cell]);
  }
  return groups.values();
}

class Tally {
  private records = 0;
  private readonly byPerson = new Map<number, number>();
  private readonly cells: Cell[] = [];
  private readonly persons: readonly Person[];

  constructor(persons: readonly Person[]) {
    this.persons = persons;
  }

  add(cells: readonly Cell[], people: readonly number[]): void {
    if (people.length === 0) return;
    const weight = cells.reduce((sum, cell) => sum + cell.weight, 0);
    this.records += weight;
    for (const index of people) this.byPerson.set(index, (this.byPerson.get(index) ?? 0) + weight);
    this.cells.push(...cells.slice(0, Math.max(0, MOST_CELLS - this.cells.length)));
  }

  difference(): Difference {
    const people = [...this.byPerson].flatMap(([index, records]) => {
      const person = this.persons[index];
      return person ? [{ id: person.id, name: person.name, records }] : [];
    });
    return {
      records: this.records,
      people: people.sort((a, b) => b.records - a.records || a.name.localeCompare(b.name)),
      cells: this.cells,
    };
  }
}
