// Takes the name of a column and names of fields, all in their plain form; finds the one that it is a slip of. Pure.

/** Longer names are sentences, and comparing takes as long as both are long. */
const LONGEST = 40;

/** How many letters of a name can be wrong. Short names are too much alike: Cost and Post, Mail and Male. */
const slips = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);
/** In shorter names another letter makes another word: Score and Scope, State and Stage. */
const WITH_OTHER_LETTERS = 6;
/** Letters that people take for one another; any other change makes another word: Employee and Employer. */
const confused = ["aeiouy", "csz"];

/** Words that are a slip apart and mean different things, alone or within a name. */
const otherWords: readonly (readonly [string, string])[] = [
  ["contact", "contract"],
  ["country", "county"],
  ["invoice", "invoiced"],
  ["personal", "personnel"],
  ["principal", "principle"],
  ["quality", "quantity"],
  ["stage", "state"],
  ["state", "status"],
];

/** What makes another word of a word: Invoice and Invoiced, Employ and Employer, Industry and Industrial. */
const ending = /^(?:d|ed|r|er|or|n|y|al|ly|ing)$/u;

/** What tells names apart that are the same otherwise: Address 1 and Address 2. */
const digits = (name: string): string => name.replace(/\D+/gu, " ");

/** Signs that are words by themselves: another one is another word, never a slip. */
const ofWords = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Undefined where none is close enough, or two fields are equally close. `names`: plain name → field. */
export function similarField(name: string, names: ReadonlyMap<string, string>): string | undefined {
  if (name.length > LONGEST || ofWords.test(name)) return undefined;
  let [closest, found]: [number, string | undefined] = [slips(name.length) + 1, undefined];
  for (const [other, field] of names) {
    // Hardly anybody gets the first letter wrong.
    if (other[0] !== name[0]) continue;
    const most = Math.min(closest, slips(Math.min(name.length, other.length)));
    if (most === 0 || Math.abs(other.length - name.length) > most || digits(other) !== digits(name)) continue;
    const distance = isOtherWord(name, other) ? undefined : slipsBetween(name, other, most);
    if (distance === undefined) continue;
    if (distance < closest) [closest, found] = [distance, field];
    else if (found !== field) found = undefined;
  }
  return found;
}

function isOtherWord(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.startsWith(short) && ending.test(long.slice(short.length))) return true;
  let start = 0;
  while (start < short.length && a[start] === b[start]) start += 1;
  const isOneLetter = a.length === b.length && a.slice(start + 1) === b.slice(start + 1);
  if (isOneLetter && !areConfused(a[start] ?? "", b[start] ?? "")) return true;
  return otherWords.some(([one, other]) =>
    [a.replace(one, other), a.replace(other, one)].some((changed) => changed !== a && changed === b),
  );
}

const areConfused = (a: string, b: string): boolean =>
  confused.some((letters) => letters.includes(a) && letters.includes(b));

/** Letters that were left out, added, changed or swapped with the next; undefined: more than `most`. */
function slipsBetween(a: string, b: string, most: number): number | undefined {
  if (most === 0 || Math.abs(a.length - b.length) > most) return undefined;
  const isShort = Math.min(a.length, b.length) < WITH_OTHER_LETTERS;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const own = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const [letter = "", other = ""] = [a[row - 1], b[column - 1]];
      const price = letter === other ? 0 : !isShort && areConfused(letter, other) ? 1 : most + 1;
      const changed = (last[column - 1] ?? 0) + price;
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : changed;
      own.push(Math.min(changed, swapped, (last[column] ?? 0) + 1, (own[column - 1] ?? 0) + 1));
    }
    [before, last] = [last, own];
  }
  const distance = last[b.length] ?? most + 1;
  return distance <= most ? distance : undefined;
}
