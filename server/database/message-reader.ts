// Takes the bytes that PostgreSQL sends, however they are cut; gives its messages. A message that nobody wants is let pass
// without being put together, so that the largest one costs no more than what it is made of.

export interface MessageHandler {
  /** `length`: of the whole message. False: it is not wanted. */
  wants(type: number, length: number): boolean;
  receive(type: number, buffer: Buffer, start: number, end: number): void;
}

const HEAD = 5;

export function messageReader(handler: MessageHandler): (chunk: Buffer) => void {
  /** The beginning of a message that is not whole yet. */
  let parts: Buffer[] = [];
  let size = 0;
  /** How many bytes it takes to go on: a head, or the whole message. */
  let needed = 0;
  let passing = 0;
  /** It was asked about already. */
  let admitted = false;

  const keep = (buffer: Buffer, wanted: number): void => {
    parts = buffer.length > 0 ? [buffer] : [];
    size = buffer.length;
    needed = wanted;
  };

  return (chunk) => {
    let given = chunk;
    if (passing > 0) {
      const passed = Math.min(passing, given.length);
      passing -= passed;
      given = given.subarray(passed);
    }
    if (given.length === 0) return;
    if (size > 0) {
      parts.push(given);
      size += given.length;
      if (size < needed) return;
      given = Buffer.concat(parts, size);
      keep(given.subarray(0, 0), 0);
    }
    let position = 0;
    while (position + HEAD <= given.length) {
      const type = given[position] ?? 0;
      const length = 1 + given.readInt32BE(position + 1);
      const end = position + length;
      if (!admitted && !handler.wants(type, length)) {
        passing = Math.max(0, end - given.length);
        if (passing > 0) return;
        position = end;
        continue;
      }
      admitted = end > given.length;
      if (admitted) return keep(given.subarray(position), length);
      handler.receive(type, given, position + HEAD, end);
      position = end;
    }
    keep(given.subarray(position), HEAD);
  };
}
