// Adds and edits of one lead with history, access, counters and workflow, against pgbench with the statements that the
// service itself sent for one of them, in one transaction.
import pg from "pg";
import { askService, type Context, compare } from "../compare.ts";
import { runPgbench, type Script } from "../lean/pgbench.ts";
import { saveScript, transactionOf } from "../lean/save-script.ts";
import { logStatements } from "../lean/statement-log.ts";
import { type Asked, encode, openLine } from "../load/http-load.ts";
import { isWanted } from "../options.ts";
import type { ResultRow } from "../report/result.ts";
import { createRandom, type Random, seedOf } from "../traffic/random.ts";
import { addOf, type EditedField, editedFields, editOf, editValues, randomEdit } from "../traffic/writes.ts";

const TABLE = "crm__leads";
/** Far above all ids, so that it can be told from every other number; higher still where an earlier run was there. */
const LOGGED_ID = 910_000_001;

/** Some 3,000 saves on two cores. */
const WARM_SECONDS = 20;

interface Captured {
  readonly script: Script;
  readonly statements: number;
}

/** Sends a save while the statements are logged. */
async function logged({ served }: Context, asked: Asked) {
  const line = await openLine(served.port);
  try {
    return await logStatements(served, async () => {
      const { status, text } = await line.ask(encode(asked, served.tokens.administrator));
      if (status >= 400) throw new Error(`${asked.path}: ${status} ${text}`);
    });
  } finally {
    line.close();
  }
}

async function inDatabase<T>({ served }: Context, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function captureAdd(context: Context, children: boolean): Promise<Captured> {
  const random = createRandom(seedOf("captured", context.options.seed, String(children)));
  const id = await inDatabase(context, async (client) => {
    const { rows } = await client.query(`select greatest(max(id) + 1, ${LOGGED_ID})::text as id from ${TABLE}`);
    await client.query(`alter table ${TABLE} alter column id restart with ${rows[0]?.id}`);
    return String(rows[0]?.id);
  });
  // With its id in its email address, which the script then makes anew with every id: a lead of the same address is a duplicate,
  // and the look for duplicates would find more of them with every transaction.
  const statements = await logged(context, addOf(random, children, id));
  const number = await inDatabase(context, async (client) => {
    const { rows } = await client.query(`select business_key from ${TABLE} where id = ${id}`);
    return String(rows[0]?.business_key);
  });
  const text = saveScript({ logged: statements, table: TABLE, id, number });
  return { script: { text, weight: 1 }, statements: transactionOf(statements, TABLE).length + 1 };
}

async function captureEdits(context: Context): Promise<readonly Captured[]> {
  const { rows } = context.served.universe;
  const captured: Captured[] = [];
  for (const [index, field] of editedFields.entries()) {
    const id = String(rows - 1 - index);
    const statements = await logged(context, editOf(id, await otherValue(context, id, field)));
    const before = `\\set record_id random(1, ${rows})\n`;
    const text = saveScript({ logged: statements, table: TABLE, id, before });
    captured.push({ script: { text, weight: 1 }, statements: transactionOf(statements, TABLE).length });
  }
  return captured;
}

/** One that the lead does not have, from an earlier run either: where nothing changes nothing is written. */
async function otherValue(context: Context, id: string, field: EditedField): Promise<Readonly<Record<string, string>>> {
  const stored = await inDatabase(context, async (client) => {
    const { rows } = await client.query(`select ${field}::text as value from ${TABLE} where id = $1`, [id]);
    return String(rows[0]?.value);
  });
  const random = createRandom(seedOf("captured", context.options.seed, field));
  for (;;) {
    const values: Readonly<Record<string, string>> = editValues[field](random);
    if (values[field] !== stored) return values;
  }
}

interface Writes {
  readonly name: string;
  readonly next: (random: Random) => Asked;
  readonly capture: () => Promise<readonly Captured[]>;
}

export async function measureWrites(context: Context): Promise<ResultRow[]> {
  const { options, served } = context;
  const kinds: readonly Writes[] = [
    { name: "add", next: (random) => addOf(random, false), capture: async () => [await captureAdd(context, false)] },
    {
      name: "add with two children",
      next: (random) => addOf(random, true),
      capture: async () => [await captureAdd(context, true)],
    },
    {
      name: "edit one value",
      next: (random) => randomEdit(served.universe, random),
      capture: () => captureEdits(context),
    },
  ];
  const rows: ResultRow[] = [];
  for (const { name, next, capture } of kinds) {
    if (!isWanted(name, options)) continue;
    // A process that has just started compiles code as it is used: its first thousand saves cost twice what all later ones do.
    await askService(context, { caller: "administrator", next }, seedOf("first", name), WARM_SECONDS);
    const captured = await capture();
    const scripts = captured.map(({ script }) => script);
    const most = Math.max(...captured.map(({ statements }) => statements));
    const run = (seconds: number) =>
      runPgbench({ connection: served.connection, scripts, clients: options.connections, seconds });
    const reference = { what: `pgbench (${most} statements)`, run };
    rows.push(await compare(context, { name, caller: "administrator", next, reference, besideWrites: false }));
  }
  return rows;
}
