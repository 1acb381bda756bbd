// A connection in the hands of one user, who may begin a transaction on it: gives statements as everything above sends them. What
// only writes is sent and not waited for; a failure is told once, as that of the statement that it was.
import { unknownOutcome } from "./errors.ts";
import type { Queryable, Row } from "./queryable.ts";
import { apartFromRequests, currentScope } from "./scope.ts";
import type { StatementEnded } from "./slow-statements.ts";
import { compile, ident, join, type Sql, sql } from "./sql.ts";
import type { Answer, StatementConnection } from "./statement-connection.ts";

export interface Session extends Queryable {
  /** With the next statement. */
  begin(): void;
  commit(): Promise<void>;
  /** Also undoes what was done apart. Never fails: why it comes to this is what is to be told. */
  rollback(): Promise<void>;
}

const asObjects = <T extends Row>({ rows, names }: Answer): T[] =>
  // Who asks for rows of this shape wrote the statement that gives them.
  rows.toArrays().map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])) as T);

/** What goes out with the commit. */
interface Behind {
  readonly statement: Sql;
  readonly resolve: (rows: (string | null)[][]) => void;
  readonly reject: (error: unknown) => void;
}

/** All but the last as parts of its WITH, so none of those may have one that changes rows, and the last none at all. */
export function asOne(statements: readonly Sql[]): Sql {
  const last = statements.at(-1);
  if (!last) throw new Error("nothing to write");
  const parts = statements.slice(0, -1).map((part, index) => sql`${ident(`part${index + 1}`)} as (${part})`);
  return parts.length === 0 ? last : sql`with ${join(parts)} ${last}`;
}

export const asUnion = (statements: readonly Sql[]): Sql =>
  join(
    statements.map((one) => sql`(${one})`),
    " union all ",
  );

/** `nameOf`: under which name a statement is prepared, if at all. */
export function openSession(
  connection: StatementConnection,
  nameOf: (text: string) => string | undefined,
  { apart, isDistributed }: Pick<Queryable, "apart" | "isDistributed">,
  ended: StatementEnded = () => undefined,
): Session {
  const unread = new Set<Promise<unknown>>();
  const undos: (() => Promise<unknown>)[] = [];
  const behind: Behind[] = [];
  let begins = false;
  /** Why this transaction comes to nothing. What is sent after that fails for no reason of its own. */
  let failure: { readonly error: unknown } | undefined;
  let explanation: ((error: unknown) => Error | undefined) | undefined;
  const failed = (error: unknown): unknown => {
    failure ??= { error: explanation?.(error) ?? error };
    return failure.error;
  };
  const send = async (
    statement: Sql,
    how: { readonly isDescribed?: true; readonly isNamed?: true; readonly mayWait?: true },
  ): Promise<Answer> => {
    const compiled = compile(statement);
    const name = how.isNamed && nameOf(compiled.text);
    const isFirst = begins;
    begins = false;
    const began = performance.now();
    try {
      return await connection.send({ ...how, statement: compiled, name, begins: isFirst });
    } catch (error) {
      throw failed(error);
    } finally {
      ended(compiled.text, began, currentScope());
    }
  };
  const write = (statement: Sql): void => {
    const sent = send(statement, { isNamed: true, mayWait: true });
    unread.add(sent);
    const read = () => unread.delete(sent);
    sent.then(read, read);
  };
  return {
    begin: () => {
      begins = true;
    },
    commit: async () => {
      const following = behind.splice(0);
      const isEmpty = begins;
      begins = false;
      const committing = isEmpty ? undefined : connection.script("commit", following.length > 0);
      const answers = following.map(({ statement }) => send(statement, { isNamed: true }));
      // Nobody else may have the connection before all is answered.
      const answered = Promise.allSettled(answers);
      try {
        const { tag } = (await committing?.catch((error: unknown) => {
          const cause = failed(error);
          const told = unknownOutcome(cause);
          // It may be committed: what was done apart may be in use.
          if (told !== cause) undos.length = 0;
          throw told;
        })) ?? { tag: "COMMIT" };
        if (tag !== "COMMIT") throw failure?.error ?? new Error(`a transaction ended with ${tag}`);
        for (const [index, answer] of answers.entries()) {
          const { resolve, reject } = following[index] ?? {};
          answer.then(({ rows }) => resolve?.(rows.toArrays()), reject);
        }
      } catch (error) {
        for (const { reject } of following) reject(error);
        throw error;
      } finally {
        await answered;
      }
    },
    rollback: async () => {
      for (const { reject } of behind.splice(0)) reject(failure?.error ?? new Error("the transaction came to nothing"));
      // The connection may be the very thing that failed.
      if (!begins) await connection.rollback().catch(() => undefined);
      // However late it is, and whoever has gone away.
      for (const undo of undos.splice(0)) await apartFromRequests(undo).catch(() => undefined);
    },
    rows: async <T extends Row>(statement: Sql) =>
      asObjects<T>(await send(statement, { isDescribed: true, isNamed: true })),
    row: async <T extends Row>(statement: Sql) =>
      asObjects<T>(await send(statement, { isDescribed: true, isNamed: true }))[0],
    run: async (statement) => {
      const { rows, tag } = await send(statement, {});
      return { rows: rows.toArrays(), count: Number(tag.slice(tag.lastIndexOf(" ") + 1)) || 0 };
    },
    script: async (text) => {
      const whole = begins ? `begin; ${text}` : text;
      begins = false;
      await connection.script(whole).catch((error: unknown) => {
        throw failed(error);
      });
      // It went back to where all was well.
      failure = undefined;
      explanation = undefined;
    },
    prepared: async (statement, mayWait) =>
      (await send(statement, { isNamed: true, ...(mayWait ? { mayWait } : {}) })).rows.toArrays(),
    readTogether: async (statements) => {
      const sent = (await isDistributed()) ? statements : [asUnion(statements)];
      const answers = await Promise.all(sent.map((statement) => send(statement, { isNamed: true })));
      return answers.flatMap(({ rows }) => rows.toArrays());
    },
    write: async (statement) => write(statement),
    writeTogether: async (statements) => {
      if (await isDistributed()) statements.forEach(write);
      else write(asOne(statements));
    },
    settled: async () => {
      await Promise.all(unread);
      if (failure) throw failure.error;
      explanation = undefined;
    },
    explain: (why) => {
      explanation = why;
    },
    behindCommit: (statement) =>
      new Promise((resolve, reject) => {
        behind.push({ statement, resolve, reject });
      }),
    apart,
    isDistributed,
    onRollback: (undo) => {
      undos.push(undo);
    },
  };
}
