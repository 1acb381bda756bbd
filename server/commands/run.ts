// The commands beside the service: takes the command and its words, says what it does on the terminal, and ends with 0, or
// with 1 and a sentence. A check-up also ends with 2.

import { readConfig } from "../config.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { designCommand } from "./design.ts";
import { distributeCommand } from "./distribute.ts";
import { doctorCommand } from "./doctor.ts";
import { typesCommand } from "./types.ts";
import { upgradeCommand } from "./upgrade.ts";
import { usageAsked } from "./usage.ts";
import { userCommand } from "./user.ts";

/** What one gives is the code that the process ends with. */
const commands: Readonly<Record<string, (words: readonly string[]) => Promise<unknown>>> = {
  backup: (words) => backupCommand(readConfig(process.env), words),
  restore: (words) => restoreCommand(readConfig(process.env), words),
  design: (words) => designCommand(readConfig(process.env), words),
  distribute: (words) => distributeCommand(readConfig(process.env), words),
  upgrade: (words) => upgradeCommand(readConfig(process.env), words),
  doctor: (words) => doctorCommand(process.env, words),
  types: (words) => typesCommand(() => readConfig(process.env), process.env, words),
  user: (words) => userCommand(readConfig(process.env), words),
};

const [name = "", ...words] = process.argv.slice(2);
try {
  const command = commands[name];
  if (!command) throw new Error(`Unknown command: ${name}`);
  const code = await command(words);
  if (typeof code === "number") process.exitCode = code;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const usage = usageAsked(words, message);
  if (usage !== undefined) {
    process.stdout.write(`${usage}\n`);
  } else {
    process.stderr.write(`dossier ${name}: ${message}\n`);
    if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
    process.exitCode = 1;
  }
}
