// Takes an answer of the wire; gives as much of it as an assistant can read at once, with a note of what was cut. Pure.

/** In characters of JSON: about 15,000 words. */
const MOST_CHARACTERS = 80_000;

/** How long texts and lists may be; the next step is taken while the whole is still too long. */
const steps = [
  { text: 20_000, items: 100 },
  { text: 4_000, items: 100 },
  { text: 800, items: 50 },
  { text: 200, items: 20 },
  { text: 80, items: 5 },
] as const;

const NOTHING_FITS = "The answer is too long to be shown. Ask for fewer records or name the fields";

type Step = (typeof steps)[number];

interface Cut {
  texts: boolean;
  lists: boolean;
}

export function inBrief(answer: Readonly<Record<string, unknown>>): string {
  for (const step of steps) {
    const cut: Cut = { texts: false, lists: false };
    const shortened = shorten(answer, step, cut);
    const notes = [
      ...(cut.texts ? [`Texts longer than ${step.text} characters were cut; each such text ends with its length`] : []),
      ...(cut.lists ? [`Lists with more than ${step.items} entries were cut; each such list ends with a note`] : []),
    ];
    const text = JSON.stringify(notes.length === 0 ? shortened : { ...Object(shortened), notes });
    if (text.length <= MOST_CHARACTERS) return text;
  }
  return JSON.stringify({ notes: [NOTHING_FITS] });
}

function shorten(value: unknown, step: Step, cut: Cut): unknown {
  if (typeof value === "string") {
    if (value.length <= step.text) return value;
    cut.texts = true;
    return `${value.slice(0, step.text)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    const kept = value.slice(0, step.items).map((item) => shorten(item, step, cut));
    if (kept.length === value.length) return kept;
    cut.lists = true;
    return [...kept, `… ${value.length - kept.length} more`];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part, step, cut)]));
}
