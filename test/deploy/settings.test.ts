// Every setting is told where people look for it, and nothing that ships sets one that the service does not know.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig, secretSettings, settingNames } from "../../server/config.ts";
import { root } from "../../server/lib/root.ts";
import { type ComposeFile, composeOf, dockerfile, manifests, unitOf } from "./shipped.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const named = (text: string): string[] => [...text.matchAll(/`([A-Z][A-Z0-9_]{2,})`/g)].map(([, name = ""]) => name);

test.each(["README.md", "docs/deploying.md"])("%s names every setting", (file) => {
  const told = new Set(named(read(file)));
  expect(settingNames.filter((name) => !name.endsWith("_FILE") && !told.has(name))).toEqual([]);
});

test("docs/deploying.md names every secret that can be given as a file", () => {
  const told = new Set(named(read("docs/deploying.md")));
  expect(secretSettings.filter((name) => !told.has(`${name}_FILE`))).toEqual([]);
});

test("a secret is read from the file that is named, and from one place only", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "secret");
  writeFileSync(file, `${"s".repeat(40)}\n`);
  expect(readConfig({ TOKEN_SECRET_FILE: file }).tokenSecret).toBe("s".repeat(40));
  expect(() => readConfig({ TOKEN_SECRET_FILE: file, TOKEN_SECRET: "t".repeat(40) })).toThrow(
    "TOKEN_SECRET and TOKEN_SECRET_FILE are both set; set one of them",
  );
  expect(() => readConfig({ SMTP_URL_FILE: path.join(folder, "none") })).toThrow(/SMTP_URL_FILE: ENOENT/);
});

/** Not ours, but of what they run in. */
const foreign = new Set(["NODE_ENV"]);

const service = (composeOf("compose.yaml") as ComposeFile).services.service;
const containers = manifests().flatMap((one) => one.spec?.template?.spec?.containers ?? []);
const configMap = manifests().find(({ kind }) => kind === "ConfigMap");
const given: Record<string, Record<string, string>> = {
  Dockerfile: Object.fromEntries(
    dockerfile()
      .filter(([word]) => word === "ENV")
      .flatMap(([, rest]) =>
        [...rest.matchAll(/([A-Z_0-9]+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
      ),
  ),
  "compose.yaml": service?.environment ?? {},
  "deploy/kubernetes/dossier.yaml": {
    ...configMap?.data,
    ...Object.fromEntries(containers.flatMap(({ env = [] }) => env.map(({ name }) => [name, "from a secret"]))),
  },
  "deploy/systemd/dossier.service": Object.fromEntries(
    unitOf("deploy/systemd/dossier.service")
      .filter(([key]) => key === "Environment")
      .flatMap(([, value]) => value.split(" ").map((pair) => pair.split("=", 2) as [string, string])),
  ),
};

test.each(Object.entries(given))("%s sets only what the service knows, to what it takes", (_, settings) => {
  expect(Object.keys(settings).length).toBeGreaterThan(2);
  expect(Object.keys(settings).filter((name) => !settingNames.includes(name) && !foreign.has(name))).toEqual([]);
  const plain = Object.entries(settings)
    .filter(([name]) => !name.endsWith("_FILE"))
    .map(([name, value]) => [
      name,
      value === "from a secret" ? "x".repeat(40) : value.replace(/^\$\{\w+:-(.*)\}$/, "$1"),
    ]);
  expect(() => readConfig(Object.fromEntries(plain))).not.toThrow();
});
