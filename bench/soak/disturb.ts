// What happens to the service while people work: processes and the database are killed, processes are restarted in turn,
// backups are made, record types are redesigned, indexes come and go, jobs are cut off in the middle.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "../../server/lib/root.ts";
import type { Fleet, Told } from "./fleet.ts";
import type { Tally } from "./tally.ts";

export interface Disturbances {
  /** The next of them, to its end. */
  next(): Promise<string>;
  /** What did not go as it must. */
  readonly faults: readonly string[];
  readonly done: ReadonlyMap<string, number>;
}

interface Site {
  readonly fleet: Fleet;
  readonly tally: Tally;
  /** Asks as the administrator of the operator's organization. */
  readonly asOperator: (address: string, body?: unknown) => Promise<Told>;
  readonly leadIds: () => Promise<readonly string[]>;
  readonly folder: string;
  readonly environment: Record<string, string>;
}

const PAUSE_MS = 3_000;
const SETTLED_MS = 120_000;

/** The last process is never touched: its memory is watched. */
const VICTIMS = 2;

export function createDisturbances({ fleet, tally, asOperator, leadIds, folder, environment }: Site): Disturbances {
  const faults: string[] = [];
  const done = new Map<string, number>();
  let turn = 0;
  let designs = 0;

  const must = (what: string, { status, body }: Told): void => {
    if (status !== 200 && status !== 202) faults.push(`${what}: ${status} ${JSON.stringify(body.errors ?? body)}`);
  };
  const command = async (...words: string[]): Promise<void> => {
    const child = spawn(process.execPath, [path.join(root, "cli/dossier.mjs"), ...words], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (chunk) => (told += String(chunk)));
    const [code] = await once(child, "exit");
    if (code !== 0) faults.push(`dossier ${words[0]} ended with ${code}: ${told.slice(-500)}`);
  };
  const killOne = async (member: number): Promise<void> => {
    const over = tally.begin("kill -9 of a process");
    await fleet.kill(member);
    await delay(PAUSE_MS);
    await fleet.start(member);
    over();
  };
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + SETTLED_MS;
    while (!(await isSo())) {
      if (performance.now() > end) return void faults.push(`${what} did not end`);
      await delay(500);
    }
  };
  const definition = (): string => {
    const fields = Array.from({ length: 3 }, (_, at) => ({
      name: `field_${Math.max(0, designs - 2) + at}`,
      type: "integer",
      indexed: (designs + at) % 2 === 0,
    }));
    return JSON.stringify({
      module: "lab",
      controller: "soaked",
      label: "Soaked",
      plural: "Soaked",
      displayField: "name",
      fields: [{ name: "name", type: "short-text" }, ...fields],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    });
  };
  const indexesOf = async (key: string): Promise<readonly { readonly field: string; readonly state: string }[]> => {
    const { body } = await asOperator(`/metadata/record_types/indexes.json?key=${key}`);
    return (body.data as { indexes?: { field: string; state: string }[] } | undefined)?.indexes ?? [];
  };
  const isQuiet = (key: string) => async (): Promise<boolean> =>
    (await indexesOf(key)).every(({ state }) => state === "ready" || state === "failed");

  const kinds: readonly [name: string, run: () => Promise<void>][] = [
    [
      "a design was changed",
      async () => {
        designs += 1;
        const discard = designs > 2 ? `field_${designs - 3}` : "";
        must("the design", await asOperator("/metadata/record_types/save.json", { definition: definition(), discard }));
        await until("an index of Fast sorting", isQuiet("lab/soaked"));
        for (const { field, state } of await indexesOf("lab/soaked"))
          if (state === "failed") faults.push(`the index of lab/soaked by ${field} failed`);
      },
    ],
    ["a process was killed", () => killOne(turn % VICTIMS)],
    [
      "a backup was made and checked",
      async () => {
        const file = path.join(folder, "soak.tar");
        rmSync(file, { force: true });
        await command("backup", file);
        await command("backup", "--check", file);
        rmSync(file, { force: true });
      },
    ],
    [
      "processes were restarted in turn",
      async () => {
        for (let member = 0; member < VICTIMS; member += 1) {
          await fleet.end(member);
          await fleet.start(member);
        }
      },
    ],
    [
      "an index was built beside writers, with a process killed meanwhile, and removed",
      async () => {
        must(
          "the index",
          await asOperator("/metadata/record_types/build_index.json", { key: "crm/leads", field: "score" }),
        );
        await killOne(turn % VICTIMS);
        await until("the index", isQuiet("crm/leads"));
        const removed = { key: "crm/leads", field: "score" };
        must("the index's removal", await asOperator("/metadata/record_types/remove_index.json", removed));
        await until("the removal of the index", async () => (await indexesOf("crm/leads")).length === 0);
      },
    ],
    [
      "a job was cut off by a kill and finished by others",
      async () => {
        const leads = { id: await leadIds(), score: String(turn % 100) };
        const told = await asOperator("/crm/leads/edit_selected.json", { data: { leads } });
        must("the job", told);
        await killOne(turn % VICTIMS);
      },
    ],
    [
      "the database was killed",
      async () => {
        const over = tally.begin("kill -9 of the database");
        const [pid] = readFileSync(path.join(folder, "postgres/postmaster.pid"), "utf8").split("\n");
        process.kill(Number(pid), "SIGKILL");
        await until(
          "the database's return",
          async () => (await asOperator("/crm/leads/index.json?limit=1")).status === 200,
        );
        over();
      },
    ],
  ];

  return {
    faults,
    done,
    next: async () => {
      const [name, run] = kinds[turn % kinds.length] ?? ["", async () => undefined];
      turn += 1;
      await run();
      done.set(name, (done.get(name) ?? 0) + 1);
      return name;
    },
  };
}
