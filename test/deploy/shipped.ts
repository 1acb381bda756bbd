// Reads what ships to run the service with: the Dockerfile, compose.yaml, the manifests and the unit. Only as much of each as
// the tests ask for.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { root } from "../../server/lib/root.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** Instructions with the rest of their line, continued lines joined. */
export const dockerfile = (): [word: string, rest: string][] =>
  read("Dockerfile")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [word = "", ...rest] = line.split(" ");
      return [word, rest.join(" ")];
    });

export interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Record<string, string>;
        readonly secrets?: readonly string[];
        readonly volumes?: readonly string[];
        readonly healthcheck?: unknown;
        readonly depends_on?: Record<string, { readonly condition: string }>;
        readonly stop_grace_period?: string;
        readonly image?: string;
      }
    >
  >;
  readonly volumes: Record<string, unknown>;
  readonly secrets: Record<string, { readonly file: string }>;
}

/** Fails on whatever YAML would warn of: keys that come twice, bad indentation. */
function documents(file: string): unknown[] {
  return parseAllDocuments(read(file), { strict: true, uniqueKeys: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw fault;
    return document.toJS();
  });
}

export const composeOf = (file: string): unknown => documents(file)[0];

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom: { readonly secretKeyRef: { readonly key: string } };
  }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: Record<string, unknown>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly strategy?: { readonly rollingUpdate: { readonly maxUnavailable: number; readonly maxSurge: number } };
    readonly selector?: Record<string, unknown>;
    readonly template?: {
      readonly metadata: { readonly labels: Record<string, string> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Record<string, unknown>;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

export const manifests = (): Manifest[] => documents("deploy/kubernetes/dossier.yaml") as Manifest[];

/** `key=value` lines of a unit, in order. */
export const unitOf = (file: string): [key: string, value: string][] =>
  read(file)
    .split("\n")
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    });
