// Takes the automaton of a regular expression; tells whether a text exists on which a backtracking matcher takes more
// than linear time: a piece that can be repeated and read in more and more ways, with an end on which all of them fail.
import { automatonOf, type Step } from "./automaton.ts";

/** A state the matcher may be in, and whether it surely is. In the order in which it is tried. */
interface Entry {
  readonly state: number;
  readonly certain: boolean;
}
type Entries = readonly Entry[];

const MOST_LISTS = 1_500;

/** Undefined: linear. Else a text of which the underlined piece, repeated, makes it slow. */
export function growthOf(pattern: string, flags: string): string | undefined {
  const automaton = automatonOf(pattern, flags);
  const { alphabet, reads, doubled } = automaton;
  const start = reads.length;
  const stepsOf = (state: number): readonly Step[] =>
    state === start ? automaton.first : (automaton.next[state] ?? []);
  const follows = (state: number): number[] => stepsOf(state).flatMap(({ to }) => (typeof to === "number" ? [to] : []));
  const readers = (state: number, char: number): number[] => follows(state).filter((to) => reads[to]?.has(char));
  const reach = reachability(start + 1, follows);
  const cyclic = reads.map((_, state) => state).filter((state) => reach(state, state) && reach(start, state));
  const together = (a: number, b: number): boolean => reach(a, b) && reach(b, a);

  const surelyMatches = (entry: Entry, atEnd: boolean): boolean =>
    entry.certain &&
    stepsOf(entry.state).some(({ to, certain }) => certain && (to === "match" || (atEnd && to === "match at end")));
  /** What comes after a sure match is never tried. */
  const cut = (entries: Entries): Entries => {
    const at = entries.findIndex((entry) => surelyMatches(entry, false));
    return at === -1 ? entries : entries.slice(0, at + 1);
  };
  const advance = (entries: Entries, char: number): Entries => {
    const out: Entry[] = [];
    for (const { state, certain } of entries) {
      for (const step of stepsOf(state)) {
        const sure = certain && step.certain;
        if (step.to === "match" && sure) return cut(out);
        if (typeof step.to !== "number" || !reads[step.to]?.has(char)) continue;
        if (!out.some((one) => one.state === step.to && one.certain === sure))
          out.push({ state: step.to, certain: sure });
      }
    }
    return cut(out);
  };
  const keyOf = (entries: Entries): string =>
    entries.map(({ state, certain }) => `${state}${certain ? "" : "?"}`).join(" ");
  const lastOf = (entries: Entries, state: number): number => entries.map((entry) => entry.state).lastIndexOf(state);

  /** Whether some end makes everything down to the given states fail: then all of it is tried. */
  const failures = new Map<string, boolean>();
  const canFail = (entries: Entries, ...states: readonly number[]): boolean => {
    const tried = entries.slice(0, 1 + Math.max(...states.map((state) => lastOf(entries, state))));
    const key = keyOf(tried);
    const known = failures.get(key);
    if (known !== undefined) return known;
    const seen = new Set([key]);
    const queue: Entries[] = [tried];
    let found = false;
    for (const list of queue) {
      found = list.every((entry) => !surelyMatches(entry, true)) || seen.size > MOST_LISTS;
      if (found) break;
      if (list.some((entry) => surelyMatches(entry, false))) continue;
      for (let char = 0; char < alphabet.length; char += 1) {
        const after = advance(list, char);
        const name = keyOf(after);
        if (seen.has(name)) continue;
        seen.add(name);
        queue.push(after);
      }
    }
    failures.set(key, found);
    return found;
  };

  /** All that the matcher can be busy with, and a text that brings it there. */
  const lists: { readonly entries: Entries; readonly text: string }[] = [
    { entries: cut([{ state: start, certain: true }]), text: "" },
  ];
  const listed = new Set<string>();
  for (const { entries, text } of lists) {
    if (lists.length > MOST_LISTS) break;
    for (let char = 0; char < alphabet.length; char += 1) {
      const after = advance(entries, char);
      const key = keyOf(after);
      if (after.length === 0 || listed.has(key)) continue;
      listed.add(key);
      lists.push({ entries: after, text: text + alphabet[char] });
    }
  }

  for (const edge of doubled) {
    const [from, to] = edge.split(">").map(Number);
    if (from === undefined || to === undefined || Number.isNaN(from) || !together(from, to)) continue;
    const busy = lists.find(({ entries }) => lastOf(entries, from) !== -1 && canFail(entries, from));
    if (busy) return `${JSON.stringify(busy.text)} + a piece that can be read in two ways`;
  }
  for (const p of cyclic) {
    for (const q of cyclic) {
      if (p === q || !reach(p, q) || !pumps(p, q)) continue;
      for (const { entries, text } of lists) {
        if (lastOf(entries, p) === -1 || lastOf(entries, q) === -1) continue;
        const piece = pump(p, q, entries);
        if (piece !== undefined) return `${JSON.stringify(text)} + ${JSON.stringify(piece)} repeated`;
      }
    }
  }
  return undefined;

  /** The same piece leads from p to p, from p to q and from q to q: how often it is read at p, there are as many ways. */
  function pump(p: number, q: number, from: Entries | undefined): string | undefined {
    interface Walk {
      readonly at: readonly [number, number, number];
      readonly entries: Entries | undefined;
      readonly piece: string;
    }
    const seen = new Set<string>();
    const queue: Walk[] = [{ at: [p, p, q], entries: from, piece: "" }];
    for (const { at, entries, piece } of queue) {
      for (let char = 0; char < alphabet.length; char += 1) {
        const after = entries && advance(entries, char);
        if (after && after.length === 0) continue;
        for (const a of readers(at[0], char)) {
          if (!together(a, p)) continue;
          for (const c of readers(at[2], char)) {
            if (!together(c, q)) continue;
            for (const b of readers(at[1], char)) {
              if (!reach(b, q)) continue;
              const key = `${a} ${b} ${c}${after ? `/${keyOf(after)}` : ""}`;
              if (seen.has(key)) continue;
              seen.add(key);
              const walked = piece + alphabet[char];
              const done = a === p && b === q && c === q;
              if (done && (!after || (lastOf(after, p) !== -1 && lastOf(after, q) !== -1 && canFail(after, q))))
                return walked;
              queue.push({ at: [a, b, c], entries: after, piece: walked });
            }
          }
        }
      }
    }
    return undefined;
  }
  function pumps(p: number, q: number): boolean {
    return pump(p, q, undefined) !== undefined;
  }
}

/** Whether a state can be reached from another by reading at least one character. */
function reachability(size: number, follows: (state: number) => number[]): (from: number, to: number) => boolean {
  const known = new Map<number, ReadonlySet<number>>();
  const from = (state: number): ReadonlySet<number> => {
    const found = known.get(state);
    if (found) return found;
    const all = new Set(follows(state));
    for (const one of all) for (const next of follows(one)) all.add(next);
    known.set(state, all);
    return all;
  };
  for (let state = 0; state < size; state += 1) from(state);
  return (a, b) => from(a).has(b);
}
