// An archive is what was written, byte for byte, or it is refused with a sentence.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type About,
  addRows,
  dataName,
  FIRST,
  FORMAT,
  fileName,
  MISSING_FILES,
  SCHEMA,
  SUMS_EVERY,
} from "./archive.ts";
import { checkArchive } from "./check-archive.ts";
import { requireKnownVersion } from "./check-version.ts";
import { secretPrint } from "./make-backup.ts";
import { readArchive } from "./read-archive.ts";
import { removeDrafts, scheduledName } from "./retention.ts";
import { BLOCK, readTarHeader, tarHeader } from "./tar.ts";
import { adoptSecret } from "./token-secret.ts";
import { type ArchiveWriter, draftOf, fileSink, intoNewFile, writeArchive } from "./write-archive.ts";

const folder = mkdtempSync(path.join(tmpdir(), "dossier-archive-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string): string => path.join(folder, name);

const about: About = {
  format: FORMAT,
  dossier: "0.1.0",
  created: "2026-01-01T00:00:00.000Z",
  postgres: "18.4",
  migrations: [{ number: 1, name: "0001_ground.sql", fingerprint: "x" }],
  tokenSecretPrint: null,
};
const key = createHash("sha1").update("a file").digest("hex");

async function writeSample(file: string, first: object = about, fill?: (writer: ArchiveWriter) => Promise<void>) {
  await intoNewFile(file, async (sink) => {
    const writer = writeArchive(sink);
    await writer.add(FIRST, JSON.stringify(first));
    await writer.add(SCHEMA, JSON.stringify({ before: [], tables: [], sequences: [], after: [] }));
    for (const part of [1, 2]) {
      await writer.add(dataName("crm__leads", part), gzipSync("1\tAda\n2\tAl\\nan\n"));
      addRows(writer.tally, "crm__leads", 2);
    }
    await writer.add(fileName(key), "the bytes of a file");
    await fill?.(writer);
    await writer.add(MISSING_FILES, "[]");
    await writer.end();
  });
  return file;
}

const check = (file: string) => checkArchive(file, () => undefined);
const variant = (name: string, bytes: Buffer): string => {
  writeFileSync(place(name), bytes);
  return place(name);
};

describe("An archive", async () => {
  const whole = await writeSample(place("whole.tar"));
  const bytes = readFileSync(whole);

  test("tells what is in it, and is for its owner alone", async () => {
    expect(await check(whole)).toMatchObject({ about, rows: 4, files: 1, bytes: bytes.length, missingFiles: [] });
    expect(statSync(whole).mode & 0o777).toBe(0o600);
    expect(existsSync(`${whole}.part`)).toBe(false);
  });

  test("is refused when any byte of it is another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        await expect(check(variant("changed.tar", changed))).rejects.toThrow(
          /is damaged|is cut off|is not a Dossier backup|newer Dossier/,
        );
      }),
      { numRuns: 150 },
    );
  });

  test("names the member that is damaged", async () => {
    const changed = Buffer.from(bytes);
    changed[bytes.indexOf("the bytes of a file")] = 0x54;
    await expect(check(variant("named.tar", changed))).rejects.toThrow(`is damaged (files/${key})`);
  });

  test("is refused when it ends early, wherever that is, and when something follows it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
        const cut = variant("cut.tar", bytes.subarray(0, length));
        await expect(check(cut)).rejects.toThrow(
          length < BLOCK ? "is not a Dossier backup" : `is cut off after ${length} bytes`,
        );
      }),
      { numRuns: 40 },
    );
    await expect(check(variant("longer.tar", Buffer.concat([bytes, Buffer.alloc(1)])))).rejects.toThrow(
      "something follows its end",
    );
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a text", Buffer.from("a letter\n".repeat(200))],
    ["zeros", Buffer.alloc(4096)],
    ["another tar", Buffer.concat([tarHeader({ name: "letter.txt", size: 0 }), Buffer.alloc(1024)])],
  ])("is not %s", async (_, other) => {
    await expect(check(variant("other.tar", other))).rejects.toThrow("is not a Dossier backup");
  });

  test("that is not there, or is a folder, is said to be so", async () => {
    await expect(check(place("nowhere.tar"))).rejects.toThrow("cannot be read: there is no such file or folder");
    await expect(check(folder)).rejects.toThrow("cannot be read: it is a folder");
  });

  test("of a newer format, a newer version or another build is refused by name", async () => {
    const newer = await writeSample(place("newer.tar"), { format: FORMAT + 1, dossier: "9.0.0", other: true });
    await expect(readArchive(newer)).rejects.toThrow("was made by a newer Dossier (9.0.0)");
    const ahead = [...about.migrations, { number: 99, name: "0099_later.sql", fingerprint: "y" }];
    const later = await writeSample(place("later.tar"), { ...about, dossier: "0.9.0", migrations: ahead });
    const known = [{ number: 1, name: "0001_ground.sql", text: "another text" }];
    await expect(requireKnownVersion(later, known)).rejects.toThrow("another build of Dossier");
    const first = [{ number: 99, name: "0099_later.sql", fingerprint: "y" }];
    const only = await writeSample(place("only.tar"), { ...about, dossier: "0.9.0", migrations: first });
    await expect(requireKnownVersion(only, known)).rejects.toThrow("was made by a newer Dossier (0.9.0)");
  });

  test("of many members has their digests in pieces, each compared", async () => {
    const names = Array.from({ length: SUMS_EVERY + 5 }, (_, index) =>
      createHash("sha1").update(String(index)).digest("hex"),
    );
    const many = await writeSample(place("many.tar"), about, async (writer) => {
      for (const name of names) await writer.add(fileName(name), name);
    });
    expect((await check(many)).files).toBe(names.length + 1);
    const changed = readFileSync(many);
    changed[changed.lastIndexOf(names.at(-1) ?? "")] = 0x2e;
    await expect(check(variant("many-changed.tar", changed))).rejects.toThrow(/is damaged/);
  });

  test("for which there is no room leaves nothing behind and says so", async () => {
    let room = 2;
    const full = intoNewFile(
      place("full.tar"),
      async (sink) => {
        const writer = writeArchive(sink);
        for (let part = 1; part < 5; part += 1)
          await writer.add(dataName("crm__leads", part), Buffer.alloc(1024 * 1024));
      },
      async (draft) => {
        const sink = await fileSink(draft);
        return {
          ...sink,
          write: async (given) => {
            room -= 1;
            if (room < 0) throw Object.assign(new Error("write"), { code: "ENOSPC" });
            await sink.write(given);
          },
        };
      },
    );
    await expect(full).rejects.toThrow(/full\.tar was not written: there is no space left on the disk/);
    expect([existsSync(place("full.tar")), existsSync(`${place("full.tar")}.part`)]).toEqual([false, false]);
  });
});

test("A header of a tar is read as it was written, and as nothing else", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_/.]{1,100}$/), fc.nat(2 ** 32), fc.nat(BLOCK - 1), (name, size, at) => {
      const header = tarHeader({ name, size });
      expect(readTarHeader(header)).toEqual({ name, size });
      header[at] = (header[at] ?? 0) ^ 0x40;
      expect(readTarHeader(header)).toBeUndefined();
    }),
  );
});

test("The secret of a backup takes the place of one that the service made, which is kept, and of none that was set", () => {
  const dataDir = place("data");
  const file = path.join(dataDir, "secrets", "token-secret");
  const backup = { tokenSecret: "of the backup", about: { ...about, tokenSecretPrint: secretPrint("of the backup") } };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "of the service\n");
  expect(adoptSecret({ dataDir, tokenSecret: "set" }, backup).join()).toMatch(/^TOKEN_SECRET is not the one/);
  expect(readFileSync(file, "utf8")).toBe("of the service\n");
  expect(adoptSecret({ dataDir, tokenSecret: undefined }, backup)).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe("of the backup");
  expect(readFileSync(`${file}.before-restore`, "utf8")).toBe("of the service\n");
  expect(adoptSecret({ dataDir, tokenSecret: undefined }, backup)).toEqual([]);
});

test("A backup that was left half written goes; one that may be under way, and what is called otherwise, stays", async () => {
  const own = place("scheduled");
  mkdirSync(own);
  const [old, young] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"].map((at) =>
    draftOf(scheduledName(new Date(at))),
  );
  const names = [old ?? "", young ?? "", draftOf("notes")];
  for (const name of names) writeFileSync(path.join(own, name), "half");
  for (const name of [old ?? "", draftOf("notes")]) utimesSync(path.join(own, name), 0, 0);
  await removeDrafts(own);
  expect(names.map((name) => existsSync(path.join(own, name)))).toEqual([false, true, true]);
});
