// Takes an archive; refuses one that this program cannot read or carry on from: of a newer version, or of another line.
import { fingerprint, type Migration } from "../database/migrate.ts";
import { BackupFault } from "./faults.ts";
import { newerProgram, readArchive } from "./read-archive.ts";

export async function requireKnownVersion(file: string, migrations: readonly Migration[]): Promise<void> {
  const reader = await readArchive(file);
  await reader.close();
  const { dossier, migrations: applied } = reader.about;
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const newest = migrations.at(-1)?.number ?? 0;
  for (const { number, name, fingerprint: print } of applied) {
    if (number > newest) throw newerProgram(file, dossier);
    const ours = known.get(number);
    if (!ours || fingerprint(ours.text) !== print) {
      throw new BackupFault(
        `${file} was made by another build of Dossier (${dossier}): its migration ${name} is not the one of this program. ` +
          "Restore it with the build that made it.",
      );
    }
  }
}
