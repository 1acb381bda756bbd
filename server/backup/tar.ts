// Takes the name and size of a member; gives its ustar header, and reads one back. There is one spelling of each header:
// a header that differs from it by a single byte is none.
export const BLOCK = 512;

export interface Member {
  readonly name: string;
  readonly size: number;
}

const NAME_BYTES = 100;
const CHECKSUM_AT = 148;

/** A name of at most 100 bytes and fewer than 8 GiB: the backup makes no others. */
export function tarHeader({ name, size }: Member): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`the name of a member is too long: ${name}`);
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, "0")}\0`, at, "latin1");
  if (size >= 8 ** 11) throw new Error(`a member is too large: ${name}`);
  header.write(name, 0, "utf8");
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(0, 136, 11);
  header.fill(0x20, CHECKSUM_AT, CHECKSUM_AT + 8);
  header.write("0", 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT, "latin1");
  return header;
}

/** Undefined for anything but a header that tarHeader made. */
export function readTarHeader(block: Buffer): Member | undefined {
  const name = block.toString("utf8", 0, Math.max(0, Math.min(NAME_BYTES, block.indexOf(0))));
  const size = Number.parseInt(block.toString("latin1", 124, 135), 8);
  if (name === "" || Buffer.byteLength(name) > NAME_BYTES || !Number.isInteger(size) || size < 0) return undefined;
  const member = { name, size };
  return tarHeader(member).equals(block) ? member : undefined;
}

/** How many zeros follow a body of this size. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;
