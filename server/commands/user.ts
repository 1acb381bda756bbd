// `dossier user`: takes its words and the settings; adds users, gives new passwords and makes administrators, and says what came of it.
import { parseArgs } from "node:util";
import { reachDatabase } from "../backup/reach-database.ts";
import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { addUser, promote, resetPassword, UserFault } from "../identity/manage-users.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { readSnapshot } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { requireKnownDatabase } from "./known-database.ts";

const use = `Usage: dossier user add NAME [--first-name …] [--last-name …] [--role CODE] [--organization ID]
                              add a user and show a password for the first sign-in
       dossier user reset-password NAME [--second-factor]
                              give a new password; with --second-factor, also turn two-factor authentication off
       dossier user promote NAME
                              make a user an administrator of their organization`;

const options = {
  "first-name": { type: "string" },
  "last-name": { type: "string" },
  role: { type: "string" },
  organization: { type: "string" },
  "second-factor": { type: "boolean" },
} as const;

type Words = ReturnType<typeof read>;
type Command = (db: Database, snapshot: Snapshot, name: string, values: Words["values"]) => Promise<string>;

const once = (password: string): string =>
  `\n  Password  ${password}\n\nThe password is shown only once. Change it after you sign in.`;

const commands: Readonly<Record<string, Command>> = {
  add: async (db, snapshot, name, values) => {
    const password = await addUser(db, snapshot, {
      userName: name,
      firstName: values["first-name"],
      lastName: values["last-name"] ?? name,
      role: values.role,
      organization: values.organization,
    });
    return `User ${name} added.${once(password)}`;
  },
  "reset-password": async (db, snapshot, name, values) => {
    const secondFactor = values["second-factor"] === true;
    const password = await resetPassword(db, snapshot, name, { secondFactor });
    return `Password of ${name} reset. All sessions of ${name} ended.${once(password)}`;
  },
  promote: async (db, snapshot, name) =>
    (await promote(db, snapshot, name)) ? `${name} is an administrator now.` : `${name} is an administrator already.`,
};

export async function userCommand(
  config: Config,
  words: readonly string[],
  out: (line: string) => void = console.log,
): Promise<void> {
  const { positionals, values } = read(words);
  const [what = "", name, ...more] = positionals;
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!command || name === undefined || more.length > 0)
    throw new UserFault(`Say what to do, and one user name.\n${use}`);
  const reached = await reachDatabase(config, true, out);
  try {
    await requireKnownDatabase(reached.connection, "current");
    const db = openDatabase(reached.connection, { connections: 1 });
    try {
      out(await command(db, await readSnapshot(db, builtInTypes), name, values));
    } finally {
      await db.close();
    }
  } finally {
    await reached.close();
  }
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UserFault(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}
