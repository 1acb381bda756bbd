// COPY on a connection of `pg`: rows out as pieces of text, and back in. Whoever is slower is waited for, so that no more
// than some pieces are ever held.
import type { Socket } from "node:net";
import type pg from "pg";

/** What `pg` gives to a query of its own making; its types say less than it offers. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

export interface RowPiece {
  readonly text: Buffer;
  readonly rows: number;
}

/** A piece grows to so many bytes, or to one row that is larger. */
export const PIECE_BYTES = 4 * 1024 * 1024;
/** Pieces that wait for their reader before PostgreSQL has to. */
const MOST_WAITING = 2;

const rowsOf = (tag: string): number => Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? Number.NaN);

/** `text` is a COPY … TO STDOUT. Gives whole rows; the count that PostgreSQL tells at the end must be theirs. */
export async function* copyOut(
  client: pg.Client,
  text: string,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<RowPiece, void, undefined> {
  const ready: RowPiece[] = [];
  let piece = Buffer.allocUnsafe(pieceBytes);
  let used = 0;
  let rows = 0;
  let total = 0;
  let told = 0;
  let socket: Socket | undefined;
  let failure: Error | undefined;
  let ended = false;
  let isLeft = false;
  let wake = (): void => {};
  const cut = (): void => {
    if (used > 0) ready.push({ text: piece.subarray(0, used), rows });
    total += rows;
    [piece, used, rows] = [Buffer.allocUnsafe(pieceBytes), 0, 0];
  };
  const end = (error?: Error): void => {
    failure ??= error;
    ended = true;
    wake();
  };
  client.query({
    submit: (connection: unknown) => {
      socket = (connection as CopyConnection).stream;
      (connection as CopyConnection).query(text);
    },
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => {
      if (isLeft) return;
      // The driver uses its buffer again, so that what is kept is copied here and now.
      if (used > 0 && used + chunk.length > piece.length) cut();
      if (chunk.length > piece.length) piece = Buffer.allocUnsafe(chunk.length);
      used += chunk.copy(piece, used);
      rows += 1;
      if (ready.length >= MOST_WAITING) socket?.pause();
      if (ready.length > 0) wake();
    },
    handleCommandComplete: (message: { readonly text: string }) => {
      told = rowsOf(message.text);
    },
    handleReadyForQuery: () => end(),
    // What PostgreSQL refuses, and a connection that is lost; nothing comes after either.
    handleError: end,
  } as unknown as pg.Submittable);
  try {
    for (;;) {
      const next = ready.shift();
      if (next) {
        yield next;
        socket?.resume();
      } else if (ended) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (failure) throw failure;
    cut();
    for (const rest of ready) yield rest;
    if (total !== told) throw new Error(`PostgreSQL sent ${total} rows and tells of ${told}`);
  } finally {
    // Left before its end, the rest is let pass.
    isLeft = true;
    socket?.resume();
  }
}

/** `text` is a COPY … FROM STDIN. Gives how many rows PostgreSQL took. */
export function copyIn(client: pg.Client, text: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    let told = Number.NaN;
    const finish = (): void => {
      if (failure === undefined) resolve(told);
      else reject(failure);
    };
    const send = async (connection: CopyConnection): Promise<void> => {
      for await (const piece of pieces) {
        if (failure !== undefined) return;
        sendPiece(connection.stream, piece);
        if (connection.stream.writableNeedDrain) await drained(connection.stream);
      }
      connection.endCopyFrom();
    };
    client.query({
      submit: (connection: unknown) => {
        (connection as CopyConnection).query(text);
      },
      handleCopyInResponse: (connection: CopyConnection) => {
        send(connection).catch((error: unknown) => {
          // Ours is the reason; that PostgreSQL was told to give up is not.
          failure ??= error;
          connection.sendCopyFail("the archive could not be read on");
        });
      },
      handleCommandComplete: (message: { readonly text: string }) => {
        told = rowsOf(message.text);
      },
      handleReadyForQuery: finish,
      handleError: (error: Error) => {
        failure ??= error;
        finish();
      },
    } as unknown as pg.Submittable);
  });
}

const COPY_DATA = 0x64;

/** As the driver would send it, without a copy of its own. */
function sendPiece(stream: Socket, piece: Buffer): void {
  const header = Buffer.allocUnsafe(5);
  header.writeUInt8(COPY_DATA, 0);
  header.writeInt32BE(piece.length + 4, 1);
  stream.cork();
  stream.write(header);
  stream.write(piece);
  stream.uncork();
}

const drained = (stream: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
  });
