// How long a login and a request for a new password take for a user who exists and for one who does not, and how well a
// listener could tell the two apart. Asked in turns, so that whatever else the machine does meets both alike.
import type { Context } from "../compare.ts";
import { median } from "../load/figures.ts";
import { encode, openLine } from "../load/http-load.ts";
import type { Fact } from "../report/result.ts";

const WARM = 10;
const PER_ROUND = 60;

/** The chance that a guess from the longer of two answers is right: 0.5 tells nothing. */
export function separability(one: readonly number[], other: readonly number[]): number {
  let wins = 0;
  for (const a of one) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (one.length * other.length);
}

export async function measurePeople({ served, options }: Context): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  const line = await openLine(served.port);
  const duration = async (operation: string, userName: string): Promise<number> => {
    const users = { user_name: userName, user_password: "a wrong password" };
    const path = `/access_controls/users/${operation}.json`;
    const began = performance.now();
    await line.ask(encode({ path, body: JSON.stringify({ data: { users } }) }, ""));
    return performance.now() - began;
  };
  for (const operation of ["login", "activate_forgotten_password"]) {
    const exists: number[] = [];
    const unknown: number[] = [];
    for (let round = -WARM; round < PER_ROUND * options.rounds; round += 1) {
      const took = [await duration(operation, "admin"), await duration(operation, `nobody${round}`)] as const;
      if (round < 0) continue;
      exists.push(took[0]);
      unknown.push(took[1]);
    }
    facts.push({
      name: `${operation}: told apart by time`,
      value: separability(exists, unknown),
      unit: "(0.5 is chance)",
      note: `p50 ${median(exists).toFixed(1)} ms for a user who exists, ${median(unknown).toFixed(1)} ms for one who does not`,
    });
  }
  line.close();
  return facts;
}
