// Sees which statements the service sends for a view, and starts the bare service that sends the same ones.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "../../server/lib/root.ts";
import { encode, openLine } from "../load/http-load.ts";
import { type CallerName, callers } from "../organization/people.ts";
import { login, type Served } from "../serve/serve.ts";
import { type Logged, logStatements } from "./statement-log.ts";

const MARKER = "@id@";

export interface BareService {
  readonly port: number;
  /** How many statements it sends for one answer. */
  readonly statements: number;
  stop(): void;
}

/** What was sent for each of several views: everything that came as often as they did, or twice or three times so. */
export function statementsOfOne(logged: readonly Logged[], ids: readonly string[]): readonly Logged[] {
  const byText = new Map<string, Logged[]>();
  for (const one of logged) byText.set(one.text, [...(byText.get(one.text) ?? []), one]);
  const last = ids.at(-1) ?? "";
  return [...byText.values()]
    .filter((times) => times.length % ids.length === 0 && !/^(begin|commit)\b/i.test(times[0]?.text ?? ""))
    .flatMap((times) => {
      const one = times.at(-1);
      if (!one) return [];
      // The id stands alone or in an array, never within another number.
      const values = one.values.map(
        (value) => value?.replace(new RegExp(`(?<!\\d)${last}(?!\\d)`, "g"), MARKER) ?? null,
      );
      return [{ ...one, values }];
    });
}

export async function startBareView(
  served: Served,
  caller: CallerName,
  ids: readonly string[],
  pathOf: (id: string) => string,
  connections: number,
): Promise<BareService> {
  // Views are kept by session: in a new one nothing comes from memory, and every statement is sent.
  const token = await login(served.port, callers[caller]);
  const line = await openLine(served.port);
  const ask = async (id: string) => {
    const { status, text } = await line.ask(encode({ path: pathOf(id) }, token));
    if (status !== 200) throw new Error(`${pathOf(id)}: ${status} ${text}`);
  };
  // What is read once and kept would be seen too if the first view were the one that is looked at.
  const [warm = "", ...looked] = ids;
  await ask(warm);
  const logged = await logStatements(served, async () => {
    for (const id of looked) await ask(id);
  });
  line.close();
  const statements = statementsOfOne(logged, looked).map(({ text, values }) => ({ text, values }));
  if (!statements.some(({ values }) => values.some((value) => value?.includes(MARKER))))
    throw new Error("no statement of a view names the record");
  const settings = JSON.stringify({ connection: served.connection, connections, statements, marker: MARKER });
  const child = spawn(process.execPath, ["--import", "tsx", path.join(root, "bench/lean/bare-service.ts"), settings], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(Number(text)));
    child.once("exit", (code) => reject(new Error(`the bare service ended with ${code}`)));
  });
  const stop = (): void => {
    process.off("exit", stop);
    child.kill();
  };
  process.once("exit", stop);
  return { port, statements: statements.length, stop };
}
