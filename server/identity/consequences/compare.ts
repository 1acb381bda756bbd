// Takes records by their recipes, and people with the rules before and after a change; gives who comes to see how many records and who no
// longer does. Pure.
import { recordRights } from "../../../contract/permissions.ts";
import { Crowd, type Readers, readersText, without } from "../../access/crowd/crowd.ts";
import type { AccessPolicy, RecordType } from "../../metadata/record-type.ts";
import type { Person } from "./people.ts";

/** Records that the rules treat alike. */
export interface Cell {
  /** How many; of a sample a share of all. */
  readonly weight: number;
  /** Where to find some: their set, or a record of the sample. */
  readonly aclId?: string;
  readonly id?: string;
  readonly subjects: readonly string[];
  readonly before: Readers;
  readonly after: Readers;
}

export interface Difference {
  readonly records: number;
  /** By how many records, most first. */
  readonly people: readonly { readonly id: string; readonly name: string; readonly records: number }[];
  /** Some of those whose records they are. */
  readonly cells: readonly Cell[];
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
    const before = was.seeing(one.before, one.subjects);
    const after = is.seeing(one.after, one.subjects);
    gained.add(alike, without(after, before));
    lost.add(alike, without(before, after));
  }
  return { gained: gained.difference(), lost: lost.difference() };
}

function groupedCells(cells: readonly Cell[]): Iterable<readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = `${readersText(cell.before)}|${readersText(cell.after)}|${cell.subjects.join()}`;
    const known = groups.get(key);
    if (known) known.push(cell);
    else groups.set(key, [cell]);
  }
  return groups.values();
}

/** Whether a policy has every entry of another, so that nobody loses anything by it. */
export const allowsAll = (policy: AccessPolicy, other: AccessPolicy): boolean =>
  recordRights.every((right) => {
    const entries = new Set(policy[right].map((one) => JSON.stringify(one)));
    return other[right].every((one) => entries.has(JSON.stringify(one)));
  });

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
