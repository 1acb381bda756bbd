// A few raw connections, opened when needed; a statement goes to the one with the fewest waiting. A broken one is
// dropped, and the next statement opens another.
import type pg from "pg";
import { translateError } from "./errors.ts";
import { openRawConnection, type RawConnection } from "./raw-connection.ts";
import type { Statement } from "./sql.ts";
import type { TextRows } from "./text-rows.ts";

export interface RawPool {
  send(statement: Statement, name: string | undefined, atMostMs?: number): Promise<TextRows>;
  close(): Promise<void>;
}

export function rawPool(config: pg.ClientConfig, size: number): RawPool {
  const open: RawConnection[] = [];
  let opening: Promise<RawConnection> | undefined;

  const another = (): Promise<RawConnection> => {
    opening ??= openRawConnection(config)
      .then((connection) => {
        open.push(connection);
        return connection;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  const pick = async (): Promise<RawConnection> => {
    for (let index = open.length - 1; index >= 0; index -= 1) if (open[index]?.broken()) open.splice(index, 1);
    let best: RawConnection | undefined;
    for (const connection of open) if (!best || connection.waiting() < best.waiting()) best = connection;
    if (!best) return another();
    // Another one helps the statements after this; this one need not wait for it.
    if (best.waiting() > 0 && open.length < size) another().catch(() => undefined);
    return best;
  };

  return {
    send: async (statement, name, atMostMs) => {
      try {
        return await (await pick()).send(statement, name, atMostMs);
      } catch (error) {
        throw translateError(error);
      }
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await Promise.all(open.splice(0).map((connection) => connection.close()));
    },
  };
}
