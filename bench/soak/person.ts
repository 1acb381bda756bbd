// One of the people of a soak: takes a turn when told, does something that people do, and notes what was acknowledged.
import type { Random } from "../traffic/random.ts";
import type { Fleet, Told } from "./fleet.ts";
import { type Kept, type Ledger, settle } from "./ledger.ts";
import type { Tally } from "./tally.ts";
import type { Inhabitant } from "./world.ts";

export interface Person {
  /** One request, or a few that belong together. */
  act(): Promise<void>;
}

interface PersonOptions {
  readonly who: Inhabitant;
  readonly token: string;
  readonly fleet: Fleet;
  readonly ledger: Ledger;
  readonly tally: Tally;
  readonly random: Random;
  readonly logIn: () => Promise<Told>;
}

/** Empty where logging in was refused, or nobody answered. */
export const tokenOf = ({ body }: Told): string => String(body.access_token ?? "");

const SAVE = { save_continue: "Save" };
const MOST_OWN = 40;
const moves = ["contact", "reopen", "qualify"] as const;

export function createPerson({ who, fleet, ledger, tally, random, logIn, ...options }: PersonOptions): Person {
  let { token } = options;
  let number = 0;
  const own: Kept[] = [];

  const ask = async (kind: string, address: string, body?: unknown, allowed: readonly number[] = []): Promise<Told> => {
    const began = performance.now();
    let told = await fleet.ask(address, body === undefined ? { token } : { token, body });
    if (told.status === 401) {
      const entered = await logIn();
      token = tokenOf(entered);
      // Who could not log in, because what would have answered was killed, has nothing to ask with.
      if (token === "") return entered;
      told = await fleet.ask(address, body === undefined ? { token } : { token, body });
    }
    tally.note(kind, told, performance.now() - began, allowed);
    return told;
  };
  const outcomeOf = ({ status, body }: Told): "done" | "refused" | "unknown" => {
    if (status === 200) return "done";
    // Refused before anything was begun. Of anything else nobody knows.
    const isKnown = status !== undefined && (status < 500 || body.error_code === "not_ready");
    return isKnown ? "refused" : "unknown";
  };
  const next = (): string => {
    number += 1;
    return `${who.userName}/${number}`;
  };

  const add = async (): Promise<void> => {
    const value = next();
    const leads = { last_name: value, company_name: value, score: String(random.integer(0, 100)) };
    const told = await ask("add", "/crm/leads/add.json", { data: { leads, action: SAVE } });
    if (told.status !== 200 || typeof told.body.id !== "string") return;
    own.push(ledger.added(who.organizationId, told.body.id, value));
    // The oldest is left as it is, and must be so in the end.
    if (own.length > MOST_OWN) own.shift();
  };
  const onOwn = (work: (kept: Kept) => Promise<unknown>) => async (): Promise<void> => {
    const kept = own.length === 0 ? undefined : random.pick(own);
    if (kept && kept.deleted.join() === "0") await work(kept);
    else await add();
  };
  const edit = onOwn(async (kept) => {
    const value = next();
    const leads = { id: kept.id, company_name: value };
    const told = await ask("edit", "/crm/leads/edit.json", { data: { leads, action: SAVE } }, [409]);
    kept.values = settle(kept.values, value, outcomeOf(told));
  });
  const move = onOwn(async ({ id }) => {
    const name = random.pick(moves);
    // It may be there already: refused, and right so.
    const body = { data: { leads: { id }, action: { [name]: "Move" } } };
    await ask("move", "/crm/leads/edit.json", body, [400, 403, 409, 422]);
  });
  const remove = onOwn(async (kept) => {
    const gone = await ask("delete", `/crm/leads/delete.json?id=${kept.id}&is_confirm=1`, {}, [409]);
    kept.deleted = settle(kept.deleted, "1", outcomeOf(gone));
    if (random.integer(1, 2) === 1) return;
    const back = await ask("restore", `/crm/leads/restore.json?id=${kept.id}`, {}, [404, 409]);
    kept.deleted = settle(kept.deleted, "0", outcomeOf(back));
  });
  const comment = onOwn(({ id }) => {
    const comments = { related_type: "crm/leads", related_id: id, body: "Called again" };
    return ask("comment", "/core/comments/add.json", { data: { comments, action: SAVE } });
  });
  const bulk = onOwn(() => {
    const some = own.filter(({ deleted }) => deleted.join() === "0").slice(0, 20);
    const leads = { id: some.map(({ id }) => id), score: String(random.integer(0, 100)) };
    return ask("bulk", "/crm/leads/edit_selected.json", { data: { leads } }, [403, 409, 422]);
  });
  const q = (query: unknown): string => encodeURIComponent(JSON.stringify(query));
  const lists = (more: string) => ask("list", `/crm/leads/index.json?${more}`);
  const actions: readonly [weight: number, act: () => Promise<unknown>][] = [
    [26, () => lists(`page=${random.integer(1, 3)}`)],
    [6, () => lists(`sort=leads.score&dir=DESC&page=${random.integer(1, 3)}`)],
    [6, () => ask("search", `/crm/leads/index.json?search_basic=${random.integer(1, 999)}`)],
    [
      5,
      () =>
        ask(
          "group",
          `/crm/leads/index.json?q=${q({ fields: ["leads.status", "count(leads.id)"], group: ["leads.status"] })}`,
        ),
    ],
    [18, onOwn(({ id }) => ask("view", `/crm/leads/view.json?id=${id}`))],
    [4, () => ask("my work", "/core/workflows/my_work.json")],
    [1, () => ask("export", `/crm/leads/export.json?format=csv&search_basic=${random.integer(1, 99)}`)],
    [9, add],
    [12, edit],
    [4, move],
    [4, comment],
    [2, remove],
    [1, bulk],
    // Who may write to a type that was made at run time: administrators, until they let others.
    [
      who.isAdministrator ? 40 : 0,
      () => ask("soaked", "/lab/soaked/add.json", { data: { soaked: { name: next() }, action: SAVE } }, [409]),
    ],
  ];
  const all = actions.reduce((sum, [weight]) => sum + weight, 0);
  return {
    act: async () => {
      let at = random.integer(1, all);
      for (const [weight, act] of actions) {
        at -= weight;
        if (at <= 0) return void (await act());
      }
    },
  };
}
