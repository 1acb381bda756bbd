import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { designCommand } from "./design.ts";
import { distributeCommand } from "./distribute.ts";
import { doctorCommand } from "./doctor.ts";
import { typesCommand } from "./types.ts";
import { upgradeCommand } from "./upgrade.ts";
import { usageAsked } from "./usage.ts";
import { userCommand } from "./user.ts";

test("every command says how it is called to whoever asks, and nobody else", async () => {
  const words = ["--help"];
  const config = readConfig({ DATA_DIR: "/nowhere/at/all" });
  const refused: Readonly<Record<string, Promise<unknown>>> = {
    backup: backupCommand(config, words),
    restore: restoreCommand(config, words),
    design: designCommand(config, words),
    distribute: distributeCommand(config, words),
    doctor: doctorCommand({}, words),
    types: typesCommand(() => config, {}, words),
    upgrade: upgradeCommand(config, words),
    user: userCommand(config, words),
  };
  for (const [name, command] of Object.entries(refused)) {
    const refusal = await command.then(
      () => "",
      (error: Error) => error.message,
    );
    expect(usageAsked(words, refusal)).toMatch(new RegExp(`^Usage: dossier ${name}`, "u"));
    expect(usageAsked(["apply"], refusal)).toBeUndefined();
  }
  expect(usageAsked(words, "The database can't be reached")).toBeUndefined();
});
