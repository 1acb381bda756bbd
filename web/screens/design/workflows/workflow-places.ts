// Takes where in a workflow something was refused (`effects.1.set.remarks`); gives it as the sheets of stages and transitions call it:
// `Effects 2 · Remarks`. Pure.
import type { TFunction } from "i18next";

const parts = {
  name: "workflows.stage_name",
  label: "workflows.transition_label",
  kind: "workflows.kind",
  key: "workflows.key",
  actors: "workflows.turn",
  grants: "workflows.lent",
  fixed: "workflows.fixed",
  enter: "workflows.on_arrival",
  from: "workflows.from",
  to: "workflows.goes_to",
  by: "workflows.by",
  needs: "workflows.needs",
  condition: "workflows.possible_when",
  required: "workflows.required",
  reason: "workflows.reason",
  effects: "workflows.along",
  when: "workflows.only_if",
  subject: "workflows.subject",
  text: "workflows.text",
  create: "workflows.create_type",
  as: "workflows.create_as",
} as const;

/** They hold what is meant, and are called like nothing on the screen. */
const around: ReadonlySet<string> = new Set(["mail", "notify"]);
/** What follows is the name of a field. */
const ofFields: ReadonlySet<string> = new Set(["set", "values"]);

const isPart = (one: string): one is keyof typeof parts => Object.hasOwn(parts, one);

export function placeWords(path: readonly string[], t: TFunction, labelOf: (field: string) => string): string {
  const words: string[] = [];
  for (const [at, one] of path.entries()) {
    const before = path[at - 1] ?? "";
    if (ofFields.has(before)) words.push(labelOf(one));
    else if (/^\d+$/u.test(one) && words.length > 0) words.push(`${words.pop()} ${Number(one) + 1}`);
    else if (!around.has(one) && !(ofFields.has(one) && at < path.length - 1))
      words.push(isPart(one) ? t(parts[one]) : one);
  }
  return words.join(" · ");
}
