// Takes the belongs-to steps that a query's columns go through; gives the LEFT JOINs behind them, each once.
// A referenced record that the caller may not read joins as NULLs: its ON carries the caller's visibility.
import type { Caller } from "../access/caller.ts";
import { mayRead, never } from "../access/visibility.ts";
import { ident, join, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Step } from "../plan/column.ts";
import type { Operand } from "../plan/filter-plan.ts";

export interface Root {
  readonly alias: string;
  readonly type: RecordType;
}

export interface Joins {
  readonly root: Root;
  readonly caller: Caller;
  /** The alias of the record at the end of the steps; the root's own without any. */
  aliasFor(steps: readonly Step[]): string;
  /** An alias that nothing else in the statement has, for a subquery of it. */
  freshAlias(): string;
  /** The root's rows are told from the log, with their own columns alone: what is made from these is another row's. */
  readonly isReplayed?: boolean;
  /** Of groups that are worked out before they are compared: what stands for an operand. */
  readonly computed?: (operand: Operand) => { readonly value: Sql; readonly text: Sql } | undefined;
  /** The joins so far, to follow the root in FROM. Ask last: columns register what they need. */
  toSql(): Sql;
}

/** Aliases are numbered from the root's, so that they say nothing of the request and never meet another root's. */
export function createJoins(root: Root, caller: Caller, isReplayed = false): Joins {
  const aliases = new Map<string, string>();
  const joins: Sql[] = [];
  let count = 0;
  const freshAlias = (): string => {
    count += 1;
    return `${root.alias}_${count}`;
  };

  const aliasFor = (steps: readonly Step[]): string => {
    const last = steps.at(-1);
    if (!last) return root.alias;
    const key = steps.map((step) => step.association.via).join(".");
    const known = aliases.get(key);
    if (known !== undefined) return known;
    const from = { alias: aliasFor(steps.slice(0, -1)), type: steps.at(-2)?.type ?? root.type };
    const alias = freshAlias();
    aliases.set(key, alias);
    joins.push(joinOf(from, last, alias, caller));
    return alias;
  };
  return { root, caller, isReplayed, aliasFor, freshAlias, toSql: () => join(joins, " ") };
}

function joinOf(from: Root, { association, type }: Step, alias: string, caller: Caller): Sql {
  const together = from.type.scope === "organization" && type.scope === "organization";
  const organization = together
    ? sql`${ident(alias, "organization_id")} = ${ident(from.alias, "organization_id")} and `
    : sql``;
  const readable = mayRead(caller, type, alias);
  // PostgreSQL leaves out a table of which nothing is read, and Citus no longer sees that it is on the same machine.
  const condition = readable === never ? sql`${ident(alias, "id")} is null` : readable;
  return sql`left join ${ident(type.table)} as ${ident(alias)} on ${organization}${ident(alias, "id")} = ${ident(from.alias, association.via)} and ${condition}`;
}
