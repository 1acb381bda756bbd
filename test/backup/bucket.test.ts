// Backups of an installation whose files are in a bucket: the archive has them, and a restore puts them into another bucket.
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backupCommand, restoreCommand } from "../../server/commands/backup.ts";
import { testConfig } from "../config.ts";
import { testDatabase } from "../database.ts";
import { temporaryFolder } from "../engine/lab.ts";
import { urlOf } from "../engine/real-process.ts";
import { startBucket, type TestBucket } from "../s3-server.ts";
import { startService, type TestService } from "../service.ts";

const to = { out: () => undefined, progress: { write: () => true } };

async function bucketFor(name: string): Promise<TestBucket> {
  const made = await startBucket(name);
  onTestFinished(() => made.close());
  return made;
}

async function attach(service: TestService, token: string, text: string): Promise<string> {
  const form = new FormData();
  form.append("data[attachments][related_type]", "crm/companies");
  form.append("data[attachments][related_id]", await company(service, token));
  form.append("data[attachments][file]", new Blob([text]), "letter.txt");
  form.append("data[action][save_progress]", "Save");
  const { body } = await service.post("/core/attachments/add.json", form, token);
  expect(body.errors).toEqual([]);
  return String(body.id);
}

async function company(service: TestService, token: string): Promise<string> {
  const data = { companies: { name: "Kept" }, action: { save_progress: "Save" } };
  return String((await service.post("/crm/companies/add.json", { data }, token)).body.id);
}

test("Files in a bucket are in the backup, and come back into another bucket", async () => {
  const [from, other] = [await bucketFor("papers"), await bucketFor("elsewhere")];
  const folder = temporaryFolder();
  const archive = path.join(folder, "bucket.tar");
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const service = await startService(from.settings, database);
  const token = await service.login();
  const text = `Dear reader, ${"ü".repeat(5_000)}`;
  const id = await attach(service, token, text);
  expect(from.objects.size).toBe(1);
  const settingsOf = (bucket: TestBucket, url: string) => testConfig(folder, { ...bucket.settings, DATABASE_URL: url });
  // A bucket that is busy for a moment is asked again.
  from.refuse(2);
  await backupCommand(settingsOf(from, urlOf(database.connection)), [archive], to);
  await service.stop();

  const empty = await testDatabase("empty");
  onTestFinished(() => empty.close());
  await restoreCommand(settingsOf(other, urlOf(empty.connection)), [archive], to);
  expect([...other.objects]).toEqual([...from.objects]);
  const restored = await startService(other.settings, empty);
  onTestFinished(() => restored.stop());
  expect((await restored.get(`/core/attachments/download?id=${id}`, await restored.login())).body).toBe(text);
});
