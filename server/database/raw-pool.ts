// A few raw connections, opened when needed. A share's statements stand behind one another, on one connection less than there
// are at the most, and behind those of others only when no further connection can be opened: a statement that does not end
// holds up nobody but its own. A broken connection is dropped, and the next statement opens another.
import type pg from "pg";
import { saversFirst } from "../lib/turns/savers-first.ts";
import { translateError } from "./errors.ts";
import { type CancelBackend, openRawConnection, type RawConnection, type RawStatement } from "./raw-connection.ts";
import type { StatementEnded } from "./slow-statements.ts";
import type { TextRows } from "./text-rows.ts";

export interface RawPool {
  send(sent: RawStatement): Promise<TextRows>;
  use(): PoolUse;
  /** Has everything canceled that waits, with this as the reason. */
  abandon(reason: Error): void;
  close(): Promise<void>;
}

export interface PoolUse {
  /** Connections that are open, those of them that are at work, and who waits for one. */
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

interface Member {
  readonly connection: RawConnection;
  /** How many statements wait here, or are about to. */
  load: number;
  /** Of each share. */
  readonly of: Map<string, number>;
}

/** Past its size, a pool grows for those who would have to stand behind others. */
const GROWTH = 2;
/** What is at work for longer may well not end. */
const SLOW_MS = 50;
/** What runs in nobody's name is the service's own. */
const OWN = "";

export function rawPool(
  config: pg.ClientConfig,
  size: number,
  cancelBackend: CancelBackend,
  ended: StatementEnded = () => undefined,
  begin?: string,
): RawPool {
  const open: Member[] = [];
  let opening: Promise<unknown> | undefined;

  const openAnother = (): Promise<unknown> => {
    opening ??= openRawConnection(config, cancelBackend, begin)
      .then((connection) => open.push({ connection, load: 0, of: new Map() }))
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  const least = (among: readonly Member[]): Member | undefined => {
    let best: Member | undefined;
    for (const member of among) if (!best || member.load < best.load) best = member;
    return best;
  };

  const quickest = (among: readonly Member[]): Member | undefined => {
    const slow = performance.now() - SLOW_MS;
    return least(among.filter(({ connection }) => connection.busySince() > slow)) ?? least(among);
  };

  /** Undefined where it is better to wait for another connection. */
  const choose = (share: string, mayGrow: boolean): Member | undefined => {
    const mine = open.filter(({ of }) => of.has(share));
    const best = least(open);
    const taken = open.filter(({ load }) => load > 0).length;
    // The last ones are for those who have none.
    if (best?.load === 0 && (mine.length === 0 || taken < size - 1)) return best;
    // Another one helps the statements after this; those behind their own need not wait for it.
    if (best && open.length < size) openAnother().catch(() => undefined);
    const own = mine.filter(({ load, of }) => load === of.get(share));
    if (own.length > 0) return quickest(own);
    if (open.length === 0 || (mayGrow && open.length < size * GROWTH)) return undefined;
    return quickest(open);
  };

  /** At once, where there is one: whoever comes after sees that it is taken. */
  const take = (share: string, mayGrow: boolean): Member | undefined => {
    for (let index = open.length - 1; index >= 0; index -= 1)
      if (open[index]?.connection.broken()) open.splice(index, 1);
    const member = choose(share, mayGrow);
    if (!member) return undefined;
    member.load += 1;
    member.of.set(share, (member.of.get(share) ?? 0) + 1);
    return member;
  };

  const giveBack = (member: Member, share: string): void => {
    member.load -= 1;
    const left = (member.of.get(share) ?? 1) - 1;
    if (left > 0) member.of.set(share, left);
    else member.of.delete(share);
  };

  return {
    send: async (sent) => {
      const share = sent.scope?.share ?? OWN;
      try {
        let member = take(share, true);
        while (!member) {
          const grew = await openAnother().then(
            () => true,
            (error: unknown) => {
              if (open.length === 0) throw error;
              return false;
            },
          );
          member = take(share, grew);
        }
        const began = performance.now();
        let rows: TextRows;
        try {
          rows = await member.connection.send(sent);
        } finally {
          giveBack(member, share);
          ended(sent.statement.text, began, sent.scope);
        }
        const turn = sent.scope?.reads ? saversFirst.readerTurn() : undefined;
        if (turn) await turn;
        return rows;
      } catch (error) {
        throw translateError(error);
      }
    },
    use: () => {
      const loads = open.map(({ load }) => load);
      const waiting = loads.reduce((sum, load) => sum + Math.max(0, load - 1), 0);
      return { open: open.length, busy: loads.filter((load) => load > 0).length, waiting };
    },
    abandon: (reason) => {
      for (const { connection } of open) connection.abandon(reason);
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await Promise.all(open.splice(0).map(({ connection }) => connection.close()));
    },
  };
}
