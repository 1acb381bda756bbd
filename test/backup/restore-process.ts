// Takes a connection as JSON and an archive; restores it with a file store that never takes a file, and says when it is
// asked to: there the process can be killed in the middle of a restore.
import { restoreBackup } from "../../server/backup/restore-backup.ts";
import { readMigrations } from "../../server/database/migrate.ts";

const [connection = "{}", archive = ""] = process.argv.slice(2);
const never = () => new Promise<never>(() => setInterval(() => undefined, 1_000));
const files = {
  put: () => {
    process.stdout.write("half way\n");
    return never();
  },
  get: never,
  stat: never,
  remove: never,
};
await restoreBackup({ connection: JSON.parse(connection), files }, archive, {
  replace: true,
  migrations: await readMigrations(),
});
