// The pattern that a designer asks texts of a field to have: as settings, as a rule that a client can check, and as the judge.
import { z } from "zod";
import { fault } from "../../../contract/messages.ts";
import { LONGEST_PATTERN, matchesPattern, type Pattern, parsePattern } from "../../../contract/pattern.ts";
import { Recent } from "../../lib/memory/recent.ts";
import { type FieldRule, type Parsed, refuse } from "../field-type.ts";

interface PatternSettings {
  readonly pattern?: string | undefined;
  /** What is said where a text does not have it. */
  readonly patternMessage?: string | undefined;
}

const pattern = z
  .string()
  .min(1)
  .max(LONGEST_PATTERN)
  .superRefine((source, issues) => {
    const parsed = parsePattern(source);
    if (parsed.ok) return;
    issues.addIssue({ code: "custom", message: parsed.error.code, params: { ...parsed.error.params } });
  });

export const patternSettings = {
  pattern: pattern.optional(),
  patternMessage: z.string().trim().min(1).max(200).optional(),
};

/** By what was written: as many as there are in designs. */
const read = new Recent<string, Pattern>(1_000);

function patternOf(source: string): Pattern {
  const known = read.get(source);
  if (known) return known;
  const parsed = parsePattern(source);
  if (!parsed.ok) throw new Error(`a pattern that was not checked: ${source}`);
  read.set(source, parsed.pattern);
  return parsed.pattern;
}

const unmet = (source: string, text: string | undefined) =>
  text === undefined ? fault("pattern_unmet", { pattern: source }) : fault("as_said", { text });

export function withPattern(parsed: Parsed, { pattern: source, patternMessage }: PatternSettings): Parsed {
  const text = parsed.ok ? parsed.row[0] : undefined;
  if (source === undefined || text == null || matchesPattern(patternOf(source), text)) return parsed;
  return refuse(unmet(source, patternMessage));
}

export const patternRules = ({ pattern: source, patternMessage }: PatternSettings): readonly FieldRule[] =>
  source === undefined ? [] : [{ rule: "pattern", params: [source], message: unmet(source, patternMessage) }];
