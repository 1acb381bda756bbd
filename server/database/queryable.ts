// What statements are sent by, within a transaction and without: rows as texts, in the shapes that callers want them in.
import type { Sql } from "./sql.ts";

export type Row = Record<string, string | null>;

export interface Queryable {
  /** Rows as objects; for everything but the hot path. */
  rows<T extends Row = Row>(statement: Sql): Promise<T[]>;
  /** The first row, or undefined. */
  row<T extends Row = Row>(statement: Sql): Promise<T | undefined>;
  /** Rows as arrays, and how many rows were touched. */
  run(statement: Sql): Promise<{ readonly rows: (string | null)[][]; readonly count: number }>;
  /** Several statements of our own at once, without values (migrations, DDL). */
  script(text: string): Promise<void>;
  /**
   * The hot path: a statement that comes again and again is parsed and planned once per connection. Its plan is the
   * same for all values, so its text must already say how to go about it. Gives rows as arrays of texts. `mayWait`: within a
   * transaction, for the statement that is sent next, before this one is waited for: both go out as one.
   */
  prepared(statement: Sql, mayWait?: true): Promise<(string | null)[][]>;
  /**
   * As `prepared`, for a few statements on one table each, with the same columns: the rows of all of them. One statement where that is
   * cheaper. Citus plans one that joins or unites tables, and the machine that it sends it to plans it again.
   */
  readTogether(statements: readonly Sql[]): Promise<(string | null)[][]>;
  /**
   * Prepared too, for what writes and whose answer nobody reads. Within a transaction it is sent and not waited for: where it
   * fails, so does the next statement that is waited for, or `settled`, or the commit, and with its error.
   */
  write(statement: Sql): Promise<void>;
  /**
   * As `write`, for statements that change different rows and do not read each other's: one statement where that is cheaper. Citus
   * would send each part of it by itself and keep what came of it. Outside of a transaction all are kept, or none.
   */
  writeTogether(statements: readonly Sql[]): Promise<void>;
  /** Waits for all that was written so far. */
  settled(): Promise<void>;
  /** What a failure of what was written so far is told as, whenever it is told; until it is settled, or the next script. */
  explain(why: (error: unknown) => Error | undefined): void;
  /**
   * As `prepared`, on its own, at once and for good, whatever becomes of a transaction around it. Not for rows that a transaction
   * touches: it would wait for itself.
   */
  apart(statement: Sql): Promise<(string | null)[][]>;
  /**
   * As `prepared`, sent right behind the commit on the same connection: it sees what was committed, and costs no round trip of its
   * own. Fails where the transaction comes to nothing. To be asked for within the transaction and waited for outside of it.
   */
  behindCommit(statement: Sql): Promise<(string | null)[][]>;
  /** Whether its tables are on several machines (citus/). The same for as long as it is open. */
  isDistributed(): Promise<boolean>;
  /** For what was done apart: done when nothing of the transaction is kept. Without a transaction, never. */
  onRollback(undo: () => Promise<unknown>): void;
}
