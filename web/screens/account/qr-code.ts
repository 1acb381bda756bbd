// Takes a text; gives the modules of a QR code (ISO/IEC 18004: byte mode, error correction L, versions 1 to 20), true for dark.
// Small on purpose: it draws one kind of address. Pure.

/** Per version, from 1: codewords of error correction in each block, and how many blocks. */
const correction = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const blocks = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

const sizeOf = (version: number): number => version * 4 + 17;

/** Bits that are neither pattern nor information. */
function roomOf(version: number): number {
  const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const all = (16 * version + 128) * version + 64;
  return all - (version < 2 ? 0 : (25 * aligned - 10) * aligned - 55) - (version >= 7 ? 36 : 0);
}

const dataCodewords = (version: number): number =>
  Math.floor(roomOf(version) / 8) - (correction[version - 1] ?? 0) * (blocks[version - 1] ?? 0);

const countBits = (version: number): number => (version < 10 ? 8 : 16);

/** Undefined for a text that is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version =
    correction.findIndex((_, index) => {
      const room = dataCodewords(index + 1) * 8;
      return 4 + countBits(index + 1) + bytes.length * 8 <= room;
    }) + 1;
  if (version === 0) return undefined;
  const codewords = interleave(fill(bytes, version), version);
  const candidates = Array.from({ length: 8 }, (_, mask) => draw(codewords, version, mask));
  return candidates.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best));
}

/** Mode, length, the bytes, an end, and padding up to the version's room. */
function fill(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  write(0b0100, 4);
  write(bytes.length, countBits(version));
  for (const byte of bytes) write(byte, 8);
  const room = dataCodewords(version) * 8;
  write(0, Math.min(4, room - bits.length));
  write(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) write(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => (value << 1) | bit, 0),
  );
}

/** In the field of 256 elements that QR codes count in. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((y >>> bit) & 1) * x;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) {
      result[index] = multiply(result[index] ?? 0, root) ^ (result[index + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return result;
}

function remainderOf(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((coefficient, index) => {
      rest[index] = (rest[index] ?? 0) ^ multiply(coefficient, factor);
    });
  }
  return rest;
}

/** Data and its correction, block by block, taken in turns. */
function interleave(data: readonly number[], version: number): number[] {
  const count = blocks[version - 1] ?? 1;
  const length = correction[version - 1] ?? 0;
  const divisor = divisorOf(length);
  const short = Math.floor(data.length / count);
  const shorter = count - (data.length % count);
  let at = 0;
  const parts = Array.from({ length: count }, (_, index) => {
    const part = data.slice(at, at + short + (index < shorter ? 0 : 1));
    at += part.length;
    return { part, rest: remainderOf(part, divisor) };
  });
  const turns = (rows: readonly (readonly number[])[], longest: number): number[] =>
    Array.from({ length: longest }, (_, index) => rows.flatMap((row) => row[index] ?? [])).flat();
  return [
    ...turns(
      parts.map(({ part }) => part),
      short + 1,
    ),
    ...turns(
      parts.map(({ rest }) => rest),
      length,
    ),
  ];
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A number with the remainder that guards it. */
function guarded(value: number, degree: number, polynomial: number): number {
  let rest = value;
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * polynomial);
  return (value << degree) | rest;
}

function alignmentsOf(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

function draw(codewords: readonly number[], version: number, mask: number): boolean[][] {
  const size = sizeOf(version);
  const dark = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, value: boolean): void => {
    const [row, mark] = [dark[y], fixed[y]];
    if (row === undefined || mark === undefined || x < 0 || x >= size) return;
    row[x] = value;
    mark[x] = true;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  const square = (cx: number, cy: number, radius: number, light: readonly number[]): void => {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        set(cx + dx, cy + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(cx, cy, 4, [2, 4]);
  }
  const places = alignmentsOf(version);
  for (const cx of places) {
    for (const cy of places) {
      const corner =
        [cx, cy].filter((place) => place === 6).length + [cx, cy].filter((place) => place === size - 7).length;
      // The three corners have their own squares.
      if (corner === 2 && !(cx === size - 7 && cy === size - 7)) continue;
      square(cx, cy, 2, [1]);
    }
  }
  information(set, size, version, mask);

  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        const row = dark[y];
        if (row === undefined || fixed[y]?.[x]) continue;
        const value = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = value !== (masks[mask]?.(x, y) ?? false);
        bit += 1;
      }
    }
  }
  return dark;
}

/** Which correction and mask it has, twice; from version 7 on, its version, twice. */
function information(
  set: (x: number, y: number, value: boolean) => void,
  size: number,
  version: number,
  mask: number,
): void {
  // Level L is 01.
  const format = guarded((1 << 3) | mask, 10, 0x537) ^ 0x5412;
  const at = (bits: number, index: number): boolean => ((bits >>> index) & 1) === 1;
  for (let index = 0; index < 15; index += 1) {
    const value = at(format, index);
    if (index < 6) set(8, index, value);
    else if (index < 8) set(8, index + 1, value);
    else if (index === 8) set(7, 8, value);
    else set(14 - index, 8, value);
    if (index < 8) set(size - 1 - index, 8, value);
    else set(8, size - 15 + index, value);
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const bits = guarded(version, 12, 0x1f25);
  for (let index = 0; index < 18; index += 1) {
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
    set(a, b, at(bits, index));
    set(b, a, at(bits, index));
  }
}

/** How hard it is to read: long runs, squares of one colour, false corners, too much of either colour. */
function penaltyOf(dark: readonly (readonly boolean[])[]): number {
  const size = dark.length;
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x] ?? false))];
  let penalty = 0;
  for (const line of lines) {
    const text = line.map((one) => (one ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  let darks = 0;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const value = dark[y]?.[x];
      if (value) darks += 1;
      if (value === dark[y]?.[x + 1] && value === dark[y + 1]?.[x] && value === dark[y + 1]?.[x + 1]) penalty += 3;
    }
  }
  return penalty + 10 * Math.floor(Math.abs((darks * 20) / (size * size) - 10));
}
