// A file takes its time to arrive: what changes of the design meanwhile is no reason to refuse it.
import { existsSync, readdirSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

const access = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };
const saveType = async (controller: string, fields: readonly object[]): Promise<void> => {
  const names = { module: "lab", controller, label: controller, plural: controller, displayField: "name" };
  const definition = JSON.stringify({ ...names, fields: [{ name: "name", type: "short-text" }, ...fields], access });
  const { body } = await service.post("/metadata/record_types/save.json", { definition }, admin);
  expect(body.errors).toEqual([]);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await saveType("papers", [{ name: "scan", type: "file" }]);
});
afterAll(() => service.stop());

const part = (name: string, more = "") => `--cut\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

/** Of the file that is arriving. */
const isArriving = (): boolean => {
  const root = path.join(service.dataDir, "tmp");
  return existsSync(root) && readdirSync(root).some((folder) => readdirSync(path.join(root, folder)).length > 0);
};

test.each([
  ["another type", () => saveType("other", [])],
  [
    "its own type",
    () =>
      saveType("papers", [
        { name: "scan", type: "file" },
        { name: "pages", type: "integer" },
      ]),
  ],
])("a file is saved with its record while %s changes", async (_, change) => {
  const headers = { authorization: `Bearer ${admin}`, "content-type": "multipart/form-data; boundary=cut" };
  const request = http.request(`${service.url}/lab/papers/add.json`, { method: "POST", headers });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  });
  request.write(`${part("data[papers][name]")}Slow\r\n${part("data[action][save_progress]")}Save\r\n`);
  request.write(`${part("data[papers][scan]", '; filename="scan.txt"')}${"first half ".repeat(10_000)}`);
  await expect.poll(isArriving).toBe(true);
  await change();
  request.end("second half\r\n--cut--\r\n");
  const response = await answered;
  const body = JSON.parse(await textOf(response));
  expect([response.statusCode, body.errors]).toEqual([200, []]);
});
