// What ships to run the service with holds what docs/deploying.md promises of it, and the package has all that it needs.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { root } from "../../server/lib/root.ts";
import { type ComposeFile, composeOf, dockerfile, manifests, unitOf } from "./shipped.ts";

interface PackageFile {
  readonly version: string;
  readonly files: readonly string[];
  readonly bin: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly engines: { readonly node: string };
}
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as PackageFile;

test("the image is built in stages, runs as nobody special, keeps data in a volume and checks itself", () => {
  const lines = dockerfile();
  const last = lines.slice(lines.findLastIndex(([word]) => word === "FROM"));
  const values = (word: string) => last.filter(([one]) => one === word).map(([, rest]) => rest);
  expect(lines.filter(([word]) => word === "FROM").length).toBeGreaterThan(1);
  expect(values("USER")).toEqual(["node"]);
  expect(values("VOLUME")).toEqual(["/data"]);
  expect(values("HEALTHCHECK")[0]).toContain("/healthz");
  // The shell form would swallow the signal.
  expect(JSON.parse(values("CMD")[0] ?? "")).toEqual([
    "node",
    "--max-semi-space-size=16",
    `node_modules/dossier/${manifest.bin.dossier}`,
    "start",
  ]);
  expect(values("COPY")).toEqual([expect.stringMatching(/^--from=/)]);
  const check = /CMD (\[.*\])$/.exec(values("HEALTHCHECK")[0] ?? "")?.[1] ?? "[]";
  const [program = "", ...words] = JSON.parse(check) as string[];
  expect(program).toBe("node");
  // Nothing listens on port 1: it runs, and says so.
  expect(spawnSync(process.execPath, words, { env: { PORT: "1" } }).status).toBe(1);
});

test("compose.yaml waits for a healthy database, and every secret and volume that it names is there", () => {
  const { services, volumes, secrets } = composeOf("compose.yaml") as ComposeFile;
  expect(services.service?.depends_on).toEqual({ database: { condition: "service_healthy" } });
  expect(services.database?.healthcheck).toBeDefined();
  for (const { secrets: used = [], volumes: mounted = [], environment = {} } of Object.values(services)) {
    for (const name of used) expect(secrets).toHaveProperty(name);
    for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(":")[0] ?? "");
    for (const [name, value] of Object.entries(environment))
      if (name.endsWith("_FILE")) expect(used).toContain(value.replace("/run/secrets/", ""));
  }
  expect(services.service?.image).toBe(`dossier:${manifest.version}`);
});

describe("the Kubernetes manifests", () => {
  const all = manifests();
  const of = (kind: string) => all.find((one) => one.kind === kind);
  const template = of("Deployment")?.spec?.template;
  const [container] = template?.spec.containers ?? [];

  test("replace processes one by one, and never all at once", () => {
    expect(of("Deployment")?.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(of("Deployment")?.spec?.replicas).toBeGreaterThan(of("PodDisruptionBudget")?.spec?.minAvailable ?? 9);
    expect(new Set(all.map(({ metadata }) => metadata.namespace)).size).toBe(1);
    const labels = template?.metadata.labels;
    expect(of("Service")?.spec?.selector).toEqual(labels);
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(of(kind)?.spec?.selector).toEqual({ matchLabels: labels });
  });

  test("ask for liveness and readiness where the service tells them, and leave it the time to drain", () => {
    const paths = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
      (probe) => probe?.httpGet.path,
    );
    expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
    const { drainMs } = readConfig(
      of("ConfigMap")?.data ? { DRAIN_SECONDS: of("ConfigMap")?.data?.DRAIN_SECONDS } : {},
    );
    const { periodSeconds = 99, failureThreshold = 99 } = container?.readinessProbe ?? {};
    expect(drainMs).toBeGreaterThan(periodSeconds * failureThreshold * 1000);
    expect((template?.spec.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThanOrEqual(drainMs + 10_000);
  });

  test("run without rights, and keep every secret in a secret", () => {
    expect(template?.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container?.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    const mounts = container?.volumeMounts.map(({ name }) => name);
    expect(template?.spec.volumes.map(({ name }) => name)).toEqual(mounts);
    for (const { valueFrom } of container?.env ?? []) expect(valueFrom.secretKeyRef.key).toMatch(/^[a-z0-9-]+$/);
  });
});

test("the systemd unit runs without rights, ends in order, and systemd has nothing against it", () => {
  const file = "deploy/systemd/dossier.service";
  const unit = new Map(unitOf(file));
  for (const [key, value] of Object.entries({
    NoNewPrivileges: "true",
    ProtectSystem: "strict",
    CapabilityBoundingSet: "",
    KillMode: "mixed",
    Restart: "always",
  }))
    expect([key, unit.get(key)]).toEqual([key, value]);
  expect(unit.get("ExecStart")).toContain(`node_modules/dossier/${manifest.bin.dossier} start`);
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", path.join(root, file)], { encoding: "utf8" });
  // Where there is no systemd the lines above have to do.
  const told = verified.error ? "" : verified.stderr;
  expect(
    told.split("\n").filter((line) => line.includes("dossier.service") && !line.includes("is not executable")),
  ).toEqual([]);
});

test("the package has what its program imports and reads, and nothing of the web app's libraries", () => {
  const built = buildSync({
    entryPoints: ["server/main.ts", "server/commands/run.ts"].map((file) => path.join(root, file)),
    outdir: root,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    write: false,
    metafile: true,
  });
  const imported = Object.values(built.metafile.outputs).flatMap(({ imports }) => imports.map((one) => one.path));
  const packages = imported
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name) && !name.startsWith("."))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  expect([...new Set(packages)].sort()).toEqual(Object.keys(manifest.dependencies).sort());
  const has = (file: string) => manifest.files.some((kept) => file === kept || file.startsWith(`${kept}/`));
  const programs = readdirSync(path.join(root, "cli")).filter((name) => {
    const text = readFileSync(path.join(root, "cli", "dossier.mjs"), "utf8");
    return name === "dossier.mjs" || text.includes(`"./${name}"`);
  });
  for (const file of [
    ...programs.map((name) => `cli/${name}`),
    "dist/server/main.js",
    "dist/server/commands.js",
    "dist/web/index.html",
    "server/database/migrations/0001_ground.sql",
  ])
    expect([file, has(file)]).toEqual([file, true]);
  expect(existsSync(path.join(root, "npm-shrinkwrap.json"))).toBe(false);
});
