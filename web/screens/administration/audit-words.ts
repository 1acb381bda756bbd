// Takes the detail of an audit entry; gives it as lines that people can read: what was done, changed fields, then
// everything else, in the words of the language. Pure.

export interface AuditLine {
  readonly label: string;
  /** Of a change. */
  readonly from?: string | undefined;
  readonly to: string;
}

/** Words by their name; undefined where there are none: then the name itself is told. */
export interface AuditDictionary {
  readonly detail: (name: string) => string | undefined;
  readonly code: (name: string, code: string) => string | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `is_signup_role` → `Is signup role`. */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${textOf(one)}`)
      .join(", ");
  return String(value);
};

/** An index of a field came, became one to keep, or went: the log has it in these words. */
const indexCodes: Readonly<Record<string, string>> = { index: "added", "automatic index": "automatic" };

/** What stands on one side of a change; `other` is the other side. */
function sideOf(value: unknown, other: unknown, dictionary: AuditDictionary): string {
  const isIndex = [value, other].every((one) => one === null || indexCodes[String(one)] !== undefined);
  const code = isIndex && value !== other ? (indexCodes[String(value)] ?? "none") : undefined;
  return (code && dictionary.code("index", code)) ?? textOf(value);
}

export function auditLines(
  detail: Readonly<Record<string, unknown>>,
  dictionary: AuditDictionary,
): readonly AuditLine[] {
  const { changes, operation, ...rest } = detail;
  const changed = isObject(changes) ? Object.entries(changes) : [];
  const told = ([name, value]: [string, unknown]): AuditLine => ({
    label: dictionary.detail(name) ?? wordsOf(name),
    to: (typeof value === "string" ? dictionary.code(name, value) : undefined) ?? textOf(value),
  });
  return [
    ...(operation === undefined ? [] : [told(["operation", operation])]),
    ...changed.map(([name, change]): AuditLine => {
      const { from, to } = isObject(change) ? change : { from: undefined, to: change };
      const before = from == null || from === "" ? undefined : sideOf(from, to, dictionary);
      return { label: wordsOf(name), from: before, to: sideOf(to, from, dictionary) };
    }),
    ...Object.entries(rest).map(told),
  ];
}
