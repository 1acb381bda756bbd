// Takes the further keys of a view's query; gives what of them names columns: what its rows stand in sections by, and the
// conditions of its colors. A Failure that names what is wrong with them. Pure.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { colorTargets, MOST_COLOR_RULES, rowHeights, ruleColors } from "../../contract/view-look.ts";
import { parseWhere, type QCondition } from "../request/q.ts";
import { readColumn } from "../request/q-column.ts";
import { sent } from "../request/q-types.ts";
import { isTree, type Tree, type TreeValue } from "../request/tree.ts";

export interface ViewLook {
  /** What rows are put in sections by, as `group` would name it. */
  readonly sections: readonly string[];
  readonly conditions: readonly QCondition[];
}

const MOST_SECTIONS = 1;
const ruleKeys: ReadonlySet<string> = new Set(["where", "color", "paint"]);

export function readViewLook(more: Tree | undefined): ViewLook {
  const { sections, row_height: height, colors } = more ?? {};
  if (height !== undefined) requireOneOf("row_height", height, rowHeights);
  return {
    sections: listOf("sections", sections, MOST_SECTIONS).map((item) =>
      typeof item === "string" ? readColumn(item, "sections") : refuse("sections", must(item)),
    ),
    conditions: listOf("colors", colors, MOST_COLOR_RULES).map(readRule),
  };
}

function readRule(rule: TreeValue, index: number): QCondition {
  const at = `colors.${index}`;
  if (!isTree(rule)) return refuse(at, say("must_be_object"));
  for (const key of Object.keys(rule)) {
    if (!ruleKeys.has(key)) refuse(`${at}.${key}`, say("must_be_one_of", { options: [...ruleKeys] }));
  }
  requireOneOf(`${at}.color`, rule.color, ruleColors);
  requireOneOf(`${at}.paint`, rule.paint, colorTargets);
  const condition = parseWhere(rule.where ?? {});
  // One field, one comparison: a reader sees at once why a row has its color.
  return condition.kind === "leaf" ? condition : refuse(`${at}.where`, say("one_condition"));
}

function listOf(key: string, value: TreeValue | undefined, most: number): readonly TreeValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return refuse(key, say("must_be_array_not", { sent: sent(value) }));
  const items: readonly TreeValue[] = value;
  return items.length > most ? refuse(key, say("at_most_not", { max: most, count: items.length })) : items;
}

function requireOneOf(key: string, value: TreeValue | undefined, options: readonly string[]): void {
  if (typeof value === "string" && options.includes(value)) return;
  refuse(key, say("must_be_one_of_not", { options, sent: sent(value) }));
}

const must = (value: TreeValue): Message => say("must_be_text_not", { sent: sent(value) });

function refuse(key: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name: "query", reason: say("in_key", { key, reason }) } });
}
