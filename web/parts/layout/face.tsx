// Somebody, or a company, by two letters in a color of its own. It says nothing that is not said beside it.
import classes from "./face.module.css";

export type FaceShape = "round" | "square";

interface FaceProps {
  readonly name: string;
  readonly size?: number;
  readonly shape?: FaceShape;
}

const TINTS = 8;

/** People are round, companies square; other records have none. */
const shapes: Readonly<Record<string, FaceShape>> = {
  user: "round",
  "user-plus": "round",
  "address-book": "round",
  building: "square",
  "building-bank": "square",
};

/** By the icon of the record type. */
export const faceShape = (icon: string | null | undefined): FaceShape | undefined => shapes[icon ?? ""];

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_.@-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first, ...rest] = words;
  const letters = [first, rest.at(-1)].map((word) =>
    word === undefined ? "" : String.fromCodePoint(word.codePointAt(0) ?? 32),
  );
  return letters.join("").toLocaleUpperCase();
}

/** The same name has the same color everywhere. */
export function tintOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum % TINTS;
}

export const Face = ({ name, size = 20, shape = "round" }: FaceProps) => (
  <span
    className={classes.face}
    aria-hidden="true"
    data-letters={initialsOf(name)}
    data-tint={tintOf(name)}
    data-shape={shape}
    style={{ inlineSize: size, blockSize: size, fontSize: size * 0.42 }}
  />
);
