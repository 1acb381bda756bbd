// Takes the environment; gives one validated, frozen Config; never read twice, never changed after.
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { trimEndOf } from "../contract/trim.ts";
import { type AddressRule, addressRule } from "./lib/public-address.ts";
import type { TracingSettings } from "./lib/tracing/open-tracer.ts";

const flag = (fallback: boolean) =>
  z
    .enum(["0", "1"])
    .optional()
    .transform((value) => (value === undefined ? fallback : value === "1"));

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATABASE_URL: z.string().min(1).optional(),
  DATABASE_REPLICA_URLS: z.string().default(""),
  DATA_DIR: z.string().min(1).default("./data"),
  ADMIN_USER_NAME: z.string().min(3).max(64).default("admin"),
  ADMIN_PASSWORD: z.string().min(10, "must have at least 10 characters").optional(),
  DEMO_DATA: z.enum(["0", "1"]).optional(),
  PUBLIC_SIGNUP: flag(true),
  MULTI_TENANT: flag(true),
  TOKEN_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  LARGE_LIST_ROWS: z.coerce.number().int().min(0).default(200_000),
  AUTOMATIC_INDEXES: flag(true),
  STATEMENT_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  SLOW_STATEMENT_SECONDS: z.coerce.number().min(0).max(3600).default(1),
  READER_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must be at least 16 visible ASCII characters, without spaces")
    .optional(),
  RATE_LIMIT: z.coerce.number().int().min(0).default(600),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
  TRUST_PROXY: flag(false),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]/, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().min(3).default("Dossier <dossier@localhost>"),
  MAIL_PER_HOUR: z.coerce.number().int().min(0).default(500),
  MAIL_PER_DAY: z.coerce.number().int().min(0).default(2000),
  MAIL_OUTSIDE: z.enum(["ask", "all", "none"]).default("ask"),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  FILES_MAX_MEGABYTES: z.coerce.number().int().min(1).max(1024).default(25),
  FILES_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  FILES_S3_BUCKET: z.string().min(1).optional(),
  FILES_S3_REGION: z.string().min(1).default("us-east-1"),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  WEBHOOK_PRIVATE_NETWORKS: z.string().default(""),
  EVENTS_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,3}[mhd]$/, "must be a number with m, h or d: 30m, 6h, 1d")
    .default("1d"),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(10_000).default(7),
  CORS_ORIGINS: z.string().default(""),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(""),
  OTEL_SERVICE_NAME: z.string().min(1).max(255).default("dossier"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Set by the process that starts the others. */
  DOSSIER_WORKER: z.string().optional(),
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
});

/** Each may be given as the name of a file that holds it, `TOKEN_SECRET_FILE` for one, as containers are handed their secrets. */
export const secretSettings = [
  "DATABASE_URL",
  "DATABASE_REPLICA_URLS",
  "ADMIN_PASSWORD",
  "TOKEN_SECRET",
  "METRICS_TOKEN",
  "SMTP_URL",
  "FILES_S3_ACCESS_KEY_ID",
  "FILES_S3_SECRET_ACCESS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const satisfies readonly (keyof typeof environment.shape)[];

/** All that the service reads; DOSSIER_WORKER is between its own processes. */
export const settingNames: readonly string[] = [
  ...Object.keys(environment.shape).filter((name) => name !== "DOSSIER_WORKER"),
  ...secretSettings.map((name) => `${name}_FILE`),
];

export type Config = Readonly<{
  port: number;
  host: string;
  databaseUrl: string | undefined;
  /** Standbys that share the reading. */
  replicaUrls: readonly string[];
  dataDir: string;
  adminUserName: string;
  adminPassword: string | undefined;
  demoData: boolean;
  publicSignup: boolean;
  multiTenant: boolean;
  tokenSecret: string | undefined;
  /** Who brings it reads /metrics from anywhere; undefined: only this machine does. */
  metricsToken: string | undefined;
  rateLimit: number;
  /** How long one statement of a request may take. */
  statementMs: number;
  /** A statement of a request that took longer is told in the log; 0: none. */
  slowStatementMs: number;
  /** From so many records on, a list that is sorted without an index says so. */
  largeListRows: number;
  /** Whether the service itself builds indexes that such lists lack, and removes those that nobody uses. */
  automaticIndexes: boolean;
  /** How long a service that is told to stop goes on serving while it says that it is not ready. */
  drainMs: number;
  /** How long a client may take for one piece of an answer. */
  readerMs: number;
  logLevel: string;
  trustProxy: boolean;
  smtpUrl: string | undefined;
  mailFrom: string;
  mail: Readonly<{
    /** Messages of one organization; 0: no limit. */
    perHour: number;
    perDay: number;
    /** Whose workflows write to people outside: organizations that the operator allows to, all, or none. */
    outside: "ask" | "all" | "none";
  }>;
  /** Where people reach the service, for links in messages; undefined: where it listens. */
  publicUrl: string | undefined;
  files: Readonly<{
    /** Of one upload. */
    maxBytes: number;
    /** Undefined: a folder of DATA_DIR. */
    s3: Readonly<Record<"endpoint" | "bucket" | "region" | "accessKeyId" | "secretAccessKey", string>> | undefined;
  }>;
  /** How long changes are told to those who follow them. */
  eventsDays: number;
  /** Which addresses webhooks may be sent to. */
  webhookAddresses: AddressRule;
  /** Undefined: this service makes no backups by itself. */
  backups: Readonly<{ folder: string; everySeconds: number; keep: number }> | undefined;
  corsOrigins: readonly string[];
  /** Where traces go; undefined: none are made. */
  tracing: TracingSettings | undefined;
  workers: number;
  /** Which of several processes behind one port this is; undefined: the only one. */
  worker: string | undefined;
}>;

export function readConfig(source: Record<string, string | undefined>): Config {
  const given = withSecrets(
    Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== "")),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw unusable(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n  "));
  }
  const env = parsed.data;
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    replicaUrls: listed(env.DATABASE_REPLICA_URLS),
    dataDir: path.resolve(env.DATA_DIR),
    adminUserName: env.ADMIN_USER_NAME,
    adminPassword: env.ADMIN_PASSWORD,
    demoData: env.DEMO_DATA === undefined ? env.DATABASE_URL === undefined : env.DEMO_DATA === "1",
    publicSignup: env.PUBLIC_SIGNUP,
    multiTenant: env.MULTI_TENANT,
    tokenSecret: env.TOKEN_SECRET,
    metricsToken: env.METRICS_TOKEN,
    rateLimit: env.RATE_LIMIT,
    statementMs: env.STATEMENT_TIMEOUT_SECONDS * 1000,
    slowStatementMs: env.SLOW_STATEMENT_SECONDS * 1000,
    largeListRows: env.LARGE_LIST_ROWS,
    automaticIndexes: env.AUTOMATIC_INDEXES,
    drainMs: env.DRAIN_SECONDS * 1000,
    readerMs: env.READER_TIMEOUT_SECONDS * 1000,
    // At a terminal people want to see what matters; a log collector wants every request.
    logLevel: env.LOG_LEVEL ?? (process.stdout.isTTY ? "warn" : "info"),
    trustProxy: env.TRUST_PROXY,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mail: Object.freeze({ perHour: env.MAIL_PER_HOUR, perDay: env.MAIL_PER_DAY, outside: env.MAIL_OUTSIDE }),
    publicUrl: env.PUBLIC_URL,
    files: Object.freeze({ maxBytes: env.FILES_MAX_MEGABYTES * 1024 * 1024, s3: s3Of(env) }),
    eventsDays: env.EVENTS_DAYS,
    webhookAddresses: addressesOf(env.WEBHOOK_PRIVATE_NETWORKS),
    backups:
      env.BACKUP_DIR === undefined
        ? undefined
        : Object.freeze({
            folder: path.resolve(env.BACKUP_DIR),
            everySeconds: secondsOf(env.BACKUP_EVERY),
            keep: env.BACKUP_KEEP,
          }),
    corsOrigins: listed(env.CORS_ORIGINS),
    tracing: tracingOf(env),
    workers: env.WORKERS,
    worker: env.DOSSIER_WORKER,
  });
}

function withSecrets(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read = secretSettings.flatMap((name) => {
    const file = given[`${name}_FILE`];
    if (file === undefined) return [];
    if (given[name] !== undefined) throw unusable(`${name} and ${name}_FILE are both set; set one of them`);
    try {
      return [[name, readFileSync(file, "utf8").trim()] as const];
    } catch (error) {
      throw unusable(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return { ...given, ...Object.fromEntries(read) };
}

const unusable = (line: string): Error => new Error(`The environment is not usable:\n  ${line}`);

/** As OpenTelemetry names and reads them: the path is added to the endpoint of everything, not to that of traces. */
function tracingOf(env: z.infer<typeof environment>): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  const url = own ?? (base === undefined ? undefined : `${trimEndOf(base, "/")}/v1/traces`);
  if (url === undefined) return undefined;
  const { username, password } = new URL(url);
  if (username !== "" || password !== "")
    throw unusable("OTEL_EXPORTER_OTLP_ENDPOINT: must not hold a password; use OTEL_EXPORTER_OTLP_HEADERS");
  const headers = Object.fromEntries(
    listed(env.OTEL_EXPORTER_OTLP_HEADERS).map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
      if (at < 1 || !/^[\w-]+$/.test(name) || value === undefined || !/^[\t\x20-\x7e]*$/.test(value))
        throw unusable("OTEL_EXPORTER_OTLP_HEADERS: must be name=value, separated by commas");
      return [name, value];
    }),
  );
  return Object.freeze({ url, headers, serviceName: env.OTEL_SERVICE_NAME, ratio: env.OTEL_TRACES_SAMPLER_ARG });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `30m`, `6h`, `1d` */
const secondsOf = (duration: string): number =>
  Number.parseInt(duration, 10) * { m: 60, h: 3_600, d: 86_400 }[duration.slice(-1) as "m" | "h" | "d"];

const listed = (text: string): readonly string[] =>
  Object.freeze(
    text
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean),
  );

function addressesOf(text: string): AddressRule {
  const rule = addressRule(listed(text));
  if (rule) return rule;
  throw unusable("WEBHOOK_PRIVATE_NETWORKS: must be addresses or networks, separated by commas: 10.0.0.0/8,127.0.0.1");
}

/** A bucket is named whole or not at all: half a setting would silently fill the disk. */
function s3Of(env: z.output<typeof environment>): Config["files"]["s3"] {
  const [endpoint, bucket] = [env.FILES_S3_ENDPOINT, env.FILES_S3_BUCKET];
  const [accessKeyId, secretAccessKey] = [env.FILES_S3_ACCESS_KEY_ID, env.FILES_S3_SECRET_ACCESS_KEY];
  const given = [endpoint, bucket, accessKeyId, secretAccessKey].filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    const all = "FILES_S3_ENDPOINT, FILES_S3_BUCKET, FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY";
    throw unusable(`${all} belong together`);
  }
  return Object.freeze({ endpoint, bucket, region: env.FILES_S3_REGION, accessKeyId, secretAccessKey });
}
