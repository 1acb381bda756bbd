// Takes a Config; opens everything in order: engine, database, metadata, first organization, messages, HTTP. Gives the
// running service and the way to close it in the opposite order.
import path from "node:path";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { type Logger, pino } from "pino";
import { demoOrganizationName, loadDemo } from "../demo/load-demo.ts";
import { createAclDirectory } from "./access/acl-directory.ts";
import { createAuthenticator } from "./access/authenticate.ts";
import { admit } from "./access/grant.ts";
import { readLastBackups } from "./backup/results.ts";
import { createScheduler } from "./backup/schedule.ts";
import { knownSecret } from "./backup/token-secret.ts";
import type { Config } from "./config.ts";
import { recordHooksWith } from "./controllers/hooks.ts";
import { createAutomaticIndexes, noAutomaticIndexes } from "./controllers/metadata/automatic-indexes.ts";
import { purgeFinisher } from "./controllers/metadata/removed/finish-purges.ts";
import { ownOperations } from "./controllers/operations.ts";
import { foldChanges } from "./database/changes.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { type Engine, startEngine } from "./database/embedded/engine.ts";
import { noticeOtherHistory } from "./database/events/other-history.ts";
import { publishAllEvents } from "./database/events/publish-events.ts";
import { withSchemaLock } from "./database/migrate.ts";
import { type Channel, type Listener, listen, notify } from "./database/processes/notify.ts";
import {
  countPeers,
  differsFromPeers,
  filesLock,
  otherSecret,
  rememberLock,
  secretLock,
  warnings,
} from "./database/processes/peers.ts";
import { openReplicas } from "./database/processes/replicas.ts";
import { allEnded, type StatementEnded, slowStatements, statementSpans } from "./database/slow-statements.ts";
import { sql } from "./database/sql.ts";
import { openFileStore, placeOfFiles } from "./files/open-store.ts";
import { buildApp } from "./http/app.ts";
import type { Fleet } from "./http/metrics.ts";
import { throttle } from "./http/throttle.ts";
import { ensureFirstOrganization, type FirstOrganization } from "./identity/first-organization.ts";
import { tellOfFailedBackup } from "./identity/tell-of-failed-backup.ts";
import { bulkKinds } from "./jobs/kinds.ts";
import { readQueues } from "./jobs/queues.ts";
import { createJobRunner, type JobRunner } from "./jobs/runner.ts";
import { originalStack } from "./lib/original-stack.ts";
import { root } from "./lib/root.ts";
import { createSeal } from "./lib/secrets/seal.ts";
import { secretFile } from "./lib/secrets/secret-file.ts";
import { tokenSigner } from "./lib/secrets/tokens.ts";
import { openTracer } from "./lib/tracing/open-tracer.ts";
import { programVersion } from "./lib/version.ts";
import { type Deliverer, startDeliverer } from "./mail/deliver-mail.ts";
import { folderTransport, smtpTransport } from "./mail/transport.ts";
import { createIndexBuilder } from "./metadata/index-builder.ts";
import type { MetadataStore } from "./metadata/store.ts";
import { operationFinder } from "./operations/find-operation.ts";
import { operations } from "./operations/index.ts";
import { prepareDatabase } from "./prepare.ts";
import { createComputedWorker } from "./records/computed/worker.ts";
import { createFeedWaiters } from "./records/feed/feed-waiters.ts";
import { createListSources } from "./records/list/run-list.ts";
import { createViewCache } from "./records/read/view-cache.ts";
import { keepViewTimes } from "./records/view-times/note-times.ts";
import { tellOfHeldMail } from "./records/workflow/tell-of-held-mail.ts";
import { startUpkeep } from "./upkeep.ts";
import { startWebhooks } from "./webhooks/deliver.ts";

export interface Storage {
  readonly connection: ClientConfig;
  readonly database: Database;
  readonly metadata: MetadataStore;
  /** Set when this start found an empty database. */
  readonly first: FirstOrganization | undefined;
  close(): Promise<void>;
}

export interface Service {
  readonly url: string;
  readonly first: FirstOrganization | undefined;
  /** First goes on serving for DRAIN_SECONDS, not ready any more, until proxies have noticed. */
  close(): Promise<void>;
}

const FOLD_EVERY_MS = 1_000;
/** How often processes tell each other whose allowance is used up. */
const TELL_EVERY_MS = 1_000;
/** How long a service that ends lets everybody finish; then it has their work canceled, again and again. */
const GRACE_MS = 5_000;
const HURRY_EVERY_MS = 500;
const SHORT_TURN_MS = 1;
const MOST_TURNS = 200;
/** Messages to one address within an hour. */
const MAIL_PER_RECIPIENT = 10;

export const createLog = (config: Config): Logger =>
  pino({
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });

function describeError(error: Error): object {
  const described = pino.stdSerializers.err(error);
  return typeof described.stack === "string" ? { ...described, stack: originalStack(described.stack) } : described;
}

const tellSlow = (config: Config, log: Logger): StatementEnded =>
  slowStatements(config.slowStatementMs, (slow) => log.warn(slow, "slow statement"));

/** The database, brought up to date and never empty. */
export async function openStorage(
  config: Config,
  log: Logger,
  outside?: ClientConfig,
  ended: StatementEnded = tellSlow(config, log),
): Promise<Storage> {
  let engine: Engine | undefined;
  if (config.databaseUrl === undefined && outside === undefined) {
    engine = await startEngine({ dataDir: config.dataDir, log: (line) => log.warn({ engine: true }, line) });
  }
  const connection: ClientConfig = engine?.connection ?? outside ?? { connectionString: config.databaseUrl };
  const database = openDatabase(connection, {
    statementMs: config.statementMs,
    log: (line) => log.warn(line),
    ended,
  });
  const close = async () => {
    await database.close();
    await engine?.stop();
  };
  try {
    const metadata = await prepareDatabase(database);
    const name = config.demoData ? demoOrganizationName : "My organization";
    const first = await ensureFirstOrganization(database, metadata, config, name, async (transaction, founded) => {
      if (config.demoData) await loadDemo(transaction, metadata.current(), founded);
    });
    return { connection, database, metadata, first, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `outside` names the database in place of DATABASE_URL; `fleet` are the other processes behind the same port. */
export async function openService(
  config: Config,
  log: Logger = createLog(config),
  outside?: ClientConfig,
  fleet?: Fleet,
): Promise<Service> {
  const tracer = await openTracer(config.tracing, programVersion, (line) => log.warn(line));
  const ended = allEnded(tellSlow(config, log), statementSpans(tracer));
  const storage = await openStorage(config, log, outside, ended);
  const { database, metadata, connection } = storage;
  const replicas = openReplicas(
    database,
    config.replicaUrls.map((connectionString) => ({ connectionString })),
    { statementMs: config.statementMs, log: (line) => log.warn(line), ended },
  );
  try {
    const secret = config.tokenSecret ?? secretFile(config.dataDir, "token-secret");
    const signer = tokenSigner(secret);
    const authenticator = createAuthenticator(database, signer, metadata.current, () => listener.connected());
    const directory = createAclDirectory(database);
    const lists = createListSources(database, directory, replicas);
    const views = createViewCache(database);
    const automatic = config.automaticIndexes
      ? createAutomaticIndexes({ database, metadata, replicas, log })
      : noAutomaticIndexes;
    const viewTimes = keepViewTimes(database, log, automatic.request);
    const feed = createFeedWaiters(database, (error) => log.debug(error, "changes were not looked for this time"));
    const files = await openFileStore(config);
    const reload = () => {
      metadata
        .reload()
        .then(feed.designChanged)
        .catch((error: unknown) => log.error(error, "the metadata could not be read anew"));
    };
    const seal = createSeal(secret);
    let [mail, runner]: [Deliverer?, JobRunner?] = [];
    const limiter = throttle(config.rateLimit);
    const recordHooks = recordHooksWith(config.webhookAddresses);
    let draining = false;
    const builder = createIndexBuilder(database, metadata, log);
    const computer = createComputedWorker(database, metadata, log);
    const locks = { secret: secretLock(secret), files: filesLock(placeOfFiles(config)) };
    // One process after the other: each sees those that are there already.
    const listener: Listener = await withSchemaLock(database, async (session) => {
      if (await differsFromPeers(session, locks.secret)) throw otherSecret(config);
      if (await rememberLock(session, locks.secret)) log.warn(warnings.secretChanged);
      if (await differsFromPeers(session, locks.files)) log.warn(warnings.filesElsewhere);
      else if (await rememberLock(session, locks.files)) log.warn(warnings.filesMoved);
      if (await noticeOtherHistory(database)) log.warn(warnings.otherHistory);
      return listen(
        connection,
        [locks.secret, locks.files],
        (channel: Channel, payload: string) => {
          if (channel === "dossier_metadata") {
            reload();
            builder.wake();
          } else if (channel === "dossier_mail") mail?.wake();
          else if (channel === "dossier_jobs") runner?.wake();
          else if (channel === "dossier_indexes") builder.wake();
          else if (channel === "dossier_computed") computer.wake();
          else if (channel === "dossier_rates") limiter.hear(payload);
          else if (channel === "dossier_presence") feed.presence.hear(payload);
          else authenticator.forget(payload);
        },
        () => {
          authenticator.forget();
          directory.clear();
          reload();
          void withSchemaLock(database, () => noticeOtherHistory(database)).catch((error: unknown) => log.warn(error));
        },
      );
    });
    const app = await buildApp({
      config,
      log,
      services: {
        config,
        database,
        metadata,
        signer,
        seal,
        lists,
        files,
        views,
        viewTimes,
        feed,
        hooks: recordHooks,
        forget: authenticator.forget,
        finishPurges: purgeFinisher(database, (error) =>
          log.warn(error, "values of deleted fields are still in the history: that goes on later"),
        ),
      },
      throttle: limiter,
      tracer,
      isDraining: () => draining,
      figures: {
        pools: database.use,
        reads: () => replicas.outcomes,
        events: () => ({ connected: listener.connected(), heard: listener.heard() }),
        queues: async () => ({ ...(await readQueues(database)), processes: await countPeers(database) }),
        backups: () => readLastBackups(database),
        fleet,
      },
      webRoot: path.join(root, "dist/web"),
      snapshot: metadata.current,
      reload: metadata.reload,
      findOperation: operationFinder(operations, ownOperations),
      authenticate: authenticator.authenticate,
      admit: (caller, type, needs) => admit(caller, type, needs, recordHooks),
      ready: async () => (await database.row(sql`select 1 as ok`)) !== undefined,
    });
    runner = createJobRunner({
      database,
      snapshot: metadata.current,
      reload: metadata.reload,
      hooks: recordHooks,
      kinds: bulkKinds,
      places: { database, files, folder: path.join(config.dataDir, "tmp") },
      forget: authenticator.forget,
      log,
      tracer,
    });
    // The log of changes is short-lived: folded often, versions and counts stay a handful of index entries away.
    let isPublishing = false;
    const folding = setInterval(() => {
      foldChanges(database).catch((error: unknown) => log.debug(error, "the log of changes was not folded this time"));
      if (isPublishing) return;
      isPublishing = true;
      publishAllEvents(database)
        .catch((error: unknown) => log.debug(error, "changes were not published this time"))
        .finally(() => {
          isPublishing = false;
        });
    }, FOLD_EVERY_MS).unref();
    const telling = setInterval(() => {
      const news = limiter.news();
      if (news === undefined) return;
      notify(database, "dossier_rates", news).catch((error: unknown) => log.debug(error, "limits were not told"));
    }, TELL_EVERY_MS).unref();
    const stopUpkeep = startUpkeep({
      database,
      metadata,
      files,
      log,
      eventsDays: config.eventsDays,
      removeUnusedIndexes: automatic.removeUnused,
    });
    await app.listen({ port: config.port, host: config.host });
    const address = app.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    const url = `http://${host}:${port}`;
    mail = startDeliverer({
      database,
      log,
      tracer,
      transport: config.smtpUrl ? smtpTransport(config.smtpUrl) : folderTransport(path.join(config.dataDir, "mail")),
      from: config.mailFrom,
      publicUrl: config.publicUrl ?? url,
      rules: { ...config.mail, perRecipient: config.rateLimit === 0 ? 0 : MAIL_PER_RECIPIENT },
      tell: (transaction, organizationId, hold) =>
        tellOfHeldMail(transaction, metadata.current(), organizationId, hold),
    });
    const webhooks = startWebhooks({
      database,
      snapshot: metadata.current,
      seal,
      addresses: config.webhookAddresses,
      statementMs: config.statementMs,
      log,
    });
    const scheduler =
      config.backups &&
      createScheduler({
        schedule: config.backups,
        source: { connection, files, secret: knownSecret(config) },
        log,
        tell: (reason) => tellOfFailedBackup(database, metadata.current(), reason),
      });
    scheduler?.start();
    return {
      url,
      first: storage.first,
      close: async () => {
        draining = true;
        feed.close();
        if (config.drainMs > 0) await delay(config.drainMs);
        await scheduler?.close();
        clearInterval(folding);
        clearInterval(telling);
        stopUpkeep();
        const hurry = hurryAfter(GRACE_MS, () => {
          database.abandon();
          replicas.abandon();
          // By now everybody who still reads has an answer; who does not read is not waited for.
          setTimeout(() => app.server.closeAllConnections(), HURRY_EVERY_MS).unref();
        });
        // A message that a slow mail server has not taken yet is sent by the next start.
        const mailed = Promise.race([mail?.close(), hurry.begun]);
        await quietMoment();
        await Promise.all([app.close(), runner?.close(), builder.close(), computer.close(), webhooks.close(), mailed]);
        await viewTimes.close();
        hurry.end();
        await listener.close();
        await replicas.close();
        await storage.close();
        await tracer?.close();
      },
    };
  } catch (error) {
    await replicas.close();
    await storage.close();
    throw error;
  }
}

/**
 * Just after everybody who had connected was let in: who still waits at the door when a service stops listening is turned away
 * without an answer. A turn of the event loop that was short is one in which nobody new can have come.
 */
async function quietMoment(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const began = performance.now();
    await immediate();
    if (performance.now() - began < SHORT_TURN_MS) return;
  }
}

/** Calls `work` after so long, again and again until `end`. */
function hurryAfter(graceMs: number, work: () => void): { readonly begun: Promise<void>; end(): void } {
  let again: NodeJS.Timeout | undefined;
  let begin: NodeJS.Timeout | undefined;
  const begun = new Promise<void>((resolve) => {
    begin = setTimeout(() => {
      work();
      again = setInterval(work, HURRY_EVERY_MS);
      resolve();
    }, graceMs);
  });
  return {
    begun,
    end: () => {
      clearTimeout(begin);
      clearInterval(again);
    },
  };
}
