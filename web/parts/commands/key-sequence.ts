// Takes key presses one after the other; says which command's keys they make. Pure but for the memory of the last press.

export interface KeyPress {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly at: number;
}

/** Keys of a sequence come within this time. */
const PATIENCE_MS = 1_200;

const spell = ({ key, mod }: KeyPress): string =>
  `${mod ? "mod+" : ""}${key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key}`;

const normal = (keys: string): string =>
  keys
    .split(" ")
    .map((one) => {
      const mod = one.startsWith("mod+") ? "mod+" : "";
      const key = one.slice(mod.length);
      return mod + (key.length === 1 ? key.toLowerCase() : key);
    })
    .join(" ");

export type Heard =
  /** The keys of a command. */
  | { readonly kind: "hit"; readonly keys: string }
  /** The beginning of some. */
  | { readonly kind: "begun" }
  | { readonly kind: "nothing" };

export function createKeySequence(): (press: KeyPress, known: readonly string[]) => Heard {
  let before: { readonly text: string; readonly at: number } | undefined;
  return (press, known) => {
    const pending = before && press.at - before.at <= PATIENCE_MS ? before.text : undefined;
    before = undefined;
    if (press.alt) return { kind: "nothing" };
    const own = spell(press);
    for (const text of pending === undefined ? [own] : [`${pending} ${own}`, own]) {
      const hit = known.find((keys) => normal(keys) === text);
      if (hit !== undefined) return { kind: "hit", keys: hit };
      if (known.some((keys) => normal(keys).startsWith(`${text} `))) {
        before = { text, at: press.at };
        return { kind: "begun" };
      }
    }
    return { kind: "nothing" };
  };
}

/** Letters for record types after `g`: the first of each name that is still free, in the order given. */
export function assignLetters(
  entries: readonly { readonly key: string; readonly label: string }[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set(taken);
  const letters = new Map<string, string>();
  for (const { key, label } of entries) {
    const letter = [...key.slice(key.indexOf("/") + 1), ...label.toLowerCase()].find(
      (one) => /^[a-z]$/.test(one) && !used.has(one),
    );
    if (letter === undefined) continue;
    used.add(letter);
    letters.set(key, letter);
  }
  return letters;
}
