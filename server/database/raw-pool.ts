// A few raw connections, opened when needed; a statement goes to the one with the fewest waiting. One organization's
// statements never wait in all of them: there is always a connection on which the others do not stand behind it. A broken
// connection is dropped, and the next statement opens another.
import type pg from "pg";
import { translateError } from "./errors.ts";
import { type CancelBackend, openRawConnection, type RawConnection, type RawStatement } from "./raw-connection.ts";
import type { TextRows } from "./text-rows.ts";

export interface RawPool {
  send(sent: RawStatement): Promise<TextRows>;
  close(): Promise<void>;
}

interface Member {
  readonly connection: RawConnection;
  /** How many statements of each share wait here. */
  readonly of: Map<string, number>;
}

export function rawPool(config: pg.ClientConfig, size: number, cancelBackend: CancelBackend): RawPool {
  const open: Member[] = [];
  let opening: Promise<Member> | undefined;

  const another = (): Promise<Member> => {
    opening ??= openRawConnection(config, cancelBackend)
      .then((connection) => {
        const member = { connection, of: new Map<string, number>() };
        open.push(member);
        return member;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  const least = (among: readonly Member[]): Member | undefined => {
    let best: Member | undefined;
    for (const member of among) {
      if (!best || member.connection.waiting() < best.connection.waiting()) best = member;
    }
    return best;
  };

  const pick = async (share: string | undefined): Promise<Member> => {
    for (let index = open.length - 1; index >= 0; index -= 1)
      if (open[index]?.connection.broken()) open.splice(index, 1);
    const best = least(open);
    if (!best) return another();
    // Another one helps the statements after this; this one need not wait for it.
    if (best.connection.waiting() > 0 && open.length < size) another().catch(() => undefined);
    if (share === undefined || size === 1 || best.of.has(share)) return best;
    const mine = open.filter(({ of }) => of.has(share));
    return mine.length < size - 1 ? best : (least(mine) ?? best);
  };

  return {
    send: async (sent) => {
      const share = sent.scope?.share;
      try {
        const { connection, of } = await pick(share);
        if (share === undefined) return await connection.send(sent);
        of.set(share, (of.get(share) ?? 0) + 1);
        try {
          return await connection.send(sent);
        } finally {
          const left = (of.get(share) ?? 1) - 1;
          if (left > 0) of.set(share, left);
          else of.delete(share);
        }
      } catch (error) {
        throw translateError(error);
      }
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await Promise.all(open.splice(0).map(({ connection }) => connection.close()));
    },
  };
}
