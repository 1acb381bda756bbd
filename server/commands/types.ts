// `dossier types`: takes the address of a service and a key, or the settings of a service here; writes TypeScript types of its record types.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { serviceCaller } from "../access/elevate.ts";
import { reachDatabase } from "../backup/reach-database.ts";
import type { Config } from "../config.ts";
import { recordHooks } from "../controllers/hooks.ts";
import { describeInterface } from "../controllers/metadata/openapi/openapi.ts";
import { writeTypes } from "../controllers/metadata/openapi/write-types.ts";
import { ownOperations } from "../controllers/operations.ts";
import { openDatabase } from "../database/database.ts";
import { readSnapshot } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { requireKnownDatabase } from "./known-database.ts";

const use = `Usage: dossier types [--out FILE]            the record types of the service here (DATA_DIR or DATABASE_URL)
       dossier types --url URL [--out FILE]  those of a service elsewhere, as the API key in DOSSIER_KEY may use them`;

const options = { url: { type: "string" }, out: { type: "string" } } as const;

export async function typesCommand(
  config: () => Config,
  environment: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
  out: (text: string) => void = (text) => process.stdout.write(text),
): Promise<void> {
  const { url, out: file } = read(words);
  const document = url === undefined ? await describeHere(config()) : await describeThere(url, environment.DOSSIER_KEY);
  const types = writeTypes(document);
  if (types === undefined) throw new Error(`${url} did not answer with a description of its record types.`);
  if (file === undefined) out(types);
  else await writeFile(file, types);
}

async function describeHere(config: Config): Promise<unknown> {
  // What it says on its way must not get among the types.
  const reached = await reachDatabase(config, true, (line) => process.stderr.write(`${line}\n`));
  try {
    await requireKnownDatabase(reached.connection, "current");
    const db = openDatabase(reached.connection, { connections: 1 });
    try {
      const caller = serviceCaller("1", "1", "describe types");
      return describeInterface(await readSnapshot(db, builtInTypes), caller, {
        own: ownOperations,
        rules: recordHooks,
      });
    } finally {
      await db.close();
    }
  } finally {
    await reached.close();
  }
}

async function describeThere(url: string, key: string | undefined): Promise<unknown> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`${url} is not a valid address. Use one such as https://dossier.example.com\n${use}`);
  }
  if (key === undefined || key === "") throw new Error(`Set DOSSIER_KEY to an API key of the service.\n${use}`);
  const address = `${url.replace(/\/$/, "")}/openapi.json`;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${key}`, accept: "application/json" },
  }).catch((error: unknown) => {
    const { cause } = error as { cause?: unknown };
    throw new Error(`${address} cannot be reached: ${cause instanceof Error ? cause.message : String(error)}`);
  });
  if (response.status === 401) throw new Error(`${url} does not accept the key in DOSSIER_KEY.`);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return response.json().catch(() => undefined);
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}
