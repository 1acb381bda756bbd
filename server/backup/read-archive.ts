// Takes the name of an archive; gives its members in order, each to be read to its end before the next. Every byte is
// checked: what differs from what was written, however little, ends the reading with a sentence.
import { createHash } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { z } from "zod";
import {
  type About,
  aboutSchema,
  END_BYTES,
  FIRST,
  FORMAT,
  keyOf,
  LAST,
  lastText,
  newTally,
  sumLine,
  type Tally,
} from "./archive.ts";
import { BackupFault, fileFault } from "./faults.ts";
import { BLOCK, type Member, paddingOf, readTarHeader } from "./tar.ts";

export interface ReadMember extends Member {
  /** To be read to its end. */
  readonly body: AsyncIterable<Buffer>;
}

export interface ArchiveReader {
  readonly about: About;
  readonly size: number;
  /** Whoever reads rows adds them here: they are compared at the end. */
  readonly tally: Tally;
  /** What comes after the first member, without the digests and the last: these it checks itself. */
  members(): AsyncGenerator<ReadMember, void, undefined>;
  close(): Promise<void>;
}

const PIECE = 1024 * 1024;
/** The small members: digests, the first and the last. */
const SMALL = 1024 * 1024;

export async function readArchive(file: string): Promise<ArchiveReader> {
  const { handle, size } = await openFile(file).catch((error: unknown) => {
    throw fileFault(error, `${file} cannot be read`);
  });
  const tally = newTally();
  const isDamaged = (where: string): BackupFault =>
    new BackupFault(`${file} is damaged (${where}). Nothing was restored from it; use another backup.`);

  const take = async (wanted: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(wanted);
    let got = 0;
    while (got < wanted) {
      const { bytesRead } = await handle.read(bytes, got, wanted - got);
      if (bytesRead === 0) {
        throw new BackupFault(
          `${file} is cut off after ${tally.bytes + got} bytes. Nothing was restored from it; copy it again, or use another backup.`,
        );
      }
      got += bytesRead;
    }
    return bytes;
  };
  const count = (bytes: Buffer): void => {
    tally.hash.update(bytes);
    tally.bytes += bytes.length;
  };
  const takeCounted = async (wanted: number): Promise<Buffer> => {
    const bytes = await take(wanted);
    count(bytes);
    return bytes;
  };

  let expected = "";
  let sums = "";
  /** The body and its padding, and then its place in the tally. */
  async function* bodyOf({ name, size: bodySize }: Member, summed: boolean): AsyncGenerator<Buffer, void, undefined> {
    const hash = createHash("sha256");
    for (let left = bodySize; left > 0; ) {
      const piece = await takeCounted(Math.min(left, PIECE));
      left -= piece.length;
      hash.update(piece);
      yield piece;
    }
    if ((await takeCounted(paddingOf(bodySize))).some((byte) => byte !== 0)) throw isDamaged(`after ${name}`);
    tally.members += 1;
    if (!summed) return;
    sums += sumLine(hash.digest("hex"), name);
    if (keyOf(name) === undefined) return;
    tally.files += 1;
    tally.fileBytes += bodySize;
  }

  const readHeader = async (): Promise<Member> => {
    const at = tally.bytes;
    const block = await take(BLOCK);
    const member = readTarHeader(block);
    if (!member) throw at === 0 ? notOurs(file) : isDamaged(`at byte ${at}`);
    // The last member tells of everything before its own header.
    if (member.name === LAST) expected = lastText(tally);
    count(block);
    return member;
  };
  const small = async (member: Member, summed: boolean): Promise<string> => {
    if (member.size > SMALL) throw isDamaged(member.name);
    const pieces: Buffer[] = [];
    for await (const piece of bodyOf(member, summed)) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  };

  /** The first line that is not as it was written names what is damaged. */
  const checkSums = (text: string): void => {
    const [written, found] = [text.split("\n"), sums.split("\n")];
    sums = "";
    const at = found.findIndex((line, index) => line !== written[index]);
    if (at !== -1 || written.length !== found.length) throw isDamaged(found[at]?.split("  ")[1] || "its digests");
  };

  async function* members(): AsyncGenerator<ReadMember, void, undefined> {
    for (;;) {
      const member = await readHeader();
      if (member.name === LAST) {
        if ((await small(member, false)) !== expected) throw isDamaged("its contents are not those that were written");
        if ((await takeCounted(END_BYTES)).some((byte) => byte !== 0)) throw isDamaged("its end");
        if (tally.bytes !== size) throw isDamaged("something follows its end");
        return;
      }
      if (member.name.startsWith("sums/")) checkSums(await small(member, false));
      else {
        const body = bodyOf(member, true);
        yield { ...member, body };
        for await (const _ of body);
      }
    }
  }

  try {
    if (size < BLOCK) throw notOurs(file);
    const first = await readHeader();
    if (first.name !== FIRST) throw notOurs(file);
    const about = readAbout(file, await small(first, true));
    if (!about) throw isDamaged(FIRST);
    return { about, size, tally, members, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(file: string): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  const found = await stat(file);
  if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  return { handle: await open(file, "r"), size: found.size };
}

const notOurs = (file: string): BackupFault =>
  new BackupFault(`${file} is not a Dossier backup. Name a file that "dossier backup" has written.`);

/** Newer programs may say more, and in another way: their version is all that is read then. */
function readAbout(file: string, text: string): About | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  const version = z.object({ format: z.number(), dossier: z.string() }).safeParse(given);
  if (version.success && version.data.format > FORMAT) throw newerProgram(file, version.data.dossier);
  const about = aboutSchema.safeParse(given);
  return about.success ? about.data : undefined;
}

export const newerProgram = (file: string, version: string): BackupFault =>
  new BackupFault(
    `${file} was made by a newer Dossier (${version}). Install that version or a newer one to restore it.`,
  );
