// The commands beside the service: takes the command and its words, says what it does on the terminal, and ends with 0, or
// with 1 and a sentence.

import { readConfig } from "../config.ts";
import { backupCommand, restoreCommand } from "./backup.ts";

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  backup: (words) => backupCommand(readConfig(process.env), words),
  restore: (words) => restoreCommand(readConfig(process.env), words),
};

const [name = "", ...words] = process.argv.slice(2);
try {
  const command = commands[name];
  if (!command) throw new Error(`There is no command ${name}.`);
  await command(words);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`dossier ${name}: ${message}\n`);
  if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
  process.exitCode = 1;
}
