import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { App } from "../../../core/app.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import { makeFolder } from "../../../core/base/folder.ts";
import type { ReplicaSharing } from "../../../core/extension/replica-sharing.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { DATABASE_MARKER_FILE } from "../../../core/store/database-identity.ts";
import { lockFolder } from "../../../core/store/lock.ts";
import type { Store } from "../../../core/store/store.ts";
import { type AnchorIntervals, startAnchors } from "../anchors/start-anchors.ts";
import { applySteps } from "../apply-steps.ts";
import { checkDatabase } from "../check-database.ts";
import { createCommitLog } from "../commit-log.ts";
import { type Database, openDatabase } from "../database.ts";
import { clockDifference, createDatabaseClock, type DatabaseClock } from "../database-clock.ts";
import type { DatabaseTarget } from "../database-target.ts";
import { Fault } from "../faults.ts";
import { followRevisions } from "../follow-revisions.ts";
import { createMarkPurge } from "../mark-purge.ts";
import { requireWholeMigration } from "../migrate/migration-progress.ts";
import { createOutageReport } from "../outage-report.ts";
import { recordHeartbeat, removeProgram } from "../programs.ts";
import { openRecordQueue } from "../record-queue.ts";
import { replicaId } from "../replica-id.ts";
import { SCHEMA_STEPS } from "../schema-step.ts";
import { createSerialWork } from "../serial-work.ts";
import { createLeaseWork } from "../shared/lease-work.ts";
import { shareWithReplicas } from "../shared/share-with-replicas.ts";
import { openSharedLog } from "../shared/shared-log.ts";
import { createView } from "../view.ts";
import { createFinalRecords } from "./final-records.ts";
import { makeActivityDays } from "./make-activity-days.ts";
import { openTable, type TableContext } from "./open-table.ts";
import { createSharedActivity } from "./shared-activity.ts";
import { activityBytes, insertActivity } from "./shared-activity-row.ts";
import { createSharedActivitySums } from "./shared-activity-sums.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { approvalTable, createSharedApprovals } from "./shared-approvals.ts";
import { configurationTable, createSharedConfiguration } from "./shared-configuration.ts";
import { createSharedDocuments, documentKeyTable } from "./shared-documents.ts";
import { createSharedKnownServers, knownServerTable } from "./shared-known-servers.ts";
import { createSharedMeta, metaTable } from "./shared-meta.ts";
import { createSharedScans, lastReportTable } from "./shared-scans.ts";
import { createSharedSessions } from "./shared-sessions.ts";
import { createSharedSignIns, signInTable } from "./shared-sign-ins.ts";
import { createSharedTokens, tokenTable, tokenUseTable } from "./shared-tokens.ts";
import { createSharedUsage } from "./shared-usage.ts";
import { createSharedUserSessions, userSessionTable } from "./shared-user-sessions.ts";
import { createSharedUsers, userTable } from "./shared-users.ts";

interface SharedStoreOptions {
  readonly target: DatabaseTarget;
  /** The data directory of this replica, which holds the records that wait for the database. */
  readonly dir: string;
  readonly log: Logger;
  readonly maxConnections?: number;
  /** How old the views may be until nothing is decided any more. (ms) */
  readonly maxStaleMs?: number;
  /** Most bytes of records in files while the database is away. */
  readonly maxSpoolBytes?: number;
  /** Called when a newer version has changed the tables, so that this program must end. */
  readonly onFatal?: (error: Fault) => void;
}

/** The store of a replica, with what other parts of the module need of it. */
export interface SharedStore extends Store {
  readonly cluster: {
    readonly database: Database;
    readonly program: string;
    readonly clock: DatabaseClock;
    /** What replicas share besides the store. */
    share(app: App): ReplicaSharing;
    /** Anchors the audit logs. @returns a function that stops it */
    startAnchors(app: App, intervals?: AnchorIntervals): () => Promise<void>;
  };
}

const HEARTBEAT_MS = 4000;
const USAGE_INTERVAL_MS = 30_000;
const DAYS_INTERVAL_MS = 3_600_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** After this time without an answer the database counts as away. */
const SILENCE_MS = 5000;
const MAX_CONNECTIONS = 8;
const MAX_STALE_MS = 60_000;

/**
 * Opens the store in a PostgreSQL database, which other replicas may use at the same time.
 *
 * @throws Fault of the cluster module, which names the remedy
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<SharedStore> {
  const { target, dir, maxConnections = MAX_CONNECTIONS } = options;
  const log = options.log.tagged("cluster");
  const program = randomUUID();
  const database = openDatabase(target, { name: "proxy", maxConnections });
  const commits = createCommitLog();
  const closers: (() => unknown)[] = [() => database.close()];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    makeFolder(dir);
    // The files of records belong to one process.
    const lock = await lockFolder(dir);
    closers.push(() => lock.release());
    const replica = await replicaId(dir);
    await checkDatabase(database);
    await applySteps(database, SCHEMA_STEPS, { id: program });
    await requireWholeMigration(database);
    const clock = createDatabaseClock({
      onWrong: (offsetMs) =>
        log.warn(
          `the clock of this machine is ${clockDifference(offsetMs)}, whose time is used; synchronise the clocks`,
        ),
    });
    await clock.measure(database);
    closers.push(() => database.run((sql) => removeProgram(sql, program)).catch(() => {}));
    const onError = (what: string, error?: unknown) =>
      log.warn(error === undefined ? what : `${what}: ${reasonOf(error)}`);
    await makeActivityDays(database);
    const follower = followRevisions(database, { name: "proxy", onError });
    closers.push(() => follower.close());
    const records = await openRecordQueue(database, {
      dir: join(dir, "cluster-records"),
      insert: insertActivity,
      sizeOf: activityBytes,
      onError,
      commits,
      ...(options.maxSpoolBytes !== undefined && { maxFileBytes: options.maxSpoolBytes }),
    });
    closers.push(() => records.close());
    return await assemble(
      { database, follower, commits },
      { ...options, program, replica, log, clock, records, onError, closers, close },
    );
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts extends SharedStoreOptions {
  readonly program: string;
  readonly replica: string;
  readonly clock: DatabaseClock;
  readonly records: Awaited<ReturnType<typeof openRecordQueue<Parameters<typeof activityBytes>[0]>>>;
  readonly onError: (what: string, error?: unknown) => void;
  /** Run in reverse order at the end. */
  readonly closers: (() => unknown)[];
  close(): Promise<void>;
}

async function assemble(context: TableContext, parts: Parts): Promise<SharedStore> {
  const { program, replica, dir, log, clock, records, closers, close, maxStaleMs = MAX_STALE_MS } = parts;
  const { database, follower, commits } = context;
  const [approvals, knownServers, tokens, tokenUses, users, userSessions, signIns, meta, lastReports, configuration] =
    await Promise.all([
      openTable(context, approvalTable),
      openTable(context, knownServerTable),
      openTable(context, tokenTable),
      openTable(context, tokenUseTable),
      openTable(context, userTable),
      openTable(context, userSessionTable),
      openTable(context, signInTable),
      openTable(context, metaTable),
      openTable(context, lastReportTable),
      openTable(context, configurationTable),
    ]);
  const openLog = async (name: string) => {
    const opened = await openSharedLog({ database, follower, name, program, onError: parts.onError });
    closers.push(opened.close);
    return opened;
  };
  const logs = { events: await openLog("events"), messages: await openLog("messages") };
  const documentKeys = createView(database, documentKeyTable);
  await follower.follow(documentKeys);
  const decided = [approvals, knownServers, tokens, tokenUses, users, userSessions, signIns, meta, lastReports];
  const tables = [...decided, configuration];
  const writers = tables.map(({ writer }) => writer);
  const purge = createMarkPurge(database, [...tables, { table: documentKeyTable, view: documentKeys }]);
  const serials = { sessions: createSerialWork(database), usage: createSerialWork(database) };
  const [scans, documents, answers] = [0, 1, 2].map(() => createSerialWork(database));
  const usage = await createSharedUsage(serials.usage, program);
  closers.push(async () => {
    await usage.close();
    const works = [serials.sessions, serials.usage, scans!, documents!, answers!];
    await Promise.allSettled([...writers.map((writer) => writer.idle()), ...works.map((work) => work(async () => {}))]);
  });
  const stop = new AbortController();
  const outage = createOutageReport(log);
  const every = (ms: number, what: string, work: () => Promise<unknown>) => {
    const attempt = () =>
      work().catch((error: unknown) => {
        if (!stop.signal.aborted && !outage.failed(error)) throw error;
      });
    const timer = setInterval(() => log.catch(what, attempt()), ms);
    timer.unref();
    stop.signal.addEventListener("abort", () => clearInterval(timer));
  };
  let fatal: Fault | undefined;
  /** Why the last heartbeat, which is a change, could not be recorded. */
  let refusal: string | undefined;
  const heartbeat = async () => {
    try {
      const identity = { id: program, steps: SCHEMA_STEPS.length };
      await database.run((sql) => recordHeartbeat(sql, identity), { signal: stop.signal });
      outage.answered();
      refusal = undefined;
    } catch (error) {
      refusal = reasonOf(error);
      if (!(error instanceof Fault && error.code === "cluster_schema_newer")) throw error;
      if (!fatal) parts.onFatal?.(error);
      fatal = error;
    }
  };
  const finalRecords = createFinalRecords(database);
  const sums = createSharedActivitySums(database, finalRecords);
  const sole = createLeaseWork({ database, holder: program, onError: parts.onError });
  log.catch("keeping the sums of the activity", sole.run("activity sums", sums.maintain, stop.signal));
  every(HEARTBEAT_MS, "recording the heartbeat", heartbeat);
  every(HEARTBEAT_MS, "comparing the clocks", () => clock.measure(database, stop.signal));
  every(USAGE_INTERVAL_MS, "reading the usage of all replicas", () => usage.update(stop.signal));
  every(DAYS_INTERVAL_MS, "making partitions of the activity", () => makeActivityDays(database, stop.signal));
  every(PURGE_INTERVAL_MS, "deleting marks of removed rows", () => purge.tick(performance.now(), stop.signal));
  closers.push(() => stop.abort());

  let closing: Promise<void> | undefined;
  return {
    ...createSharedApprovals(approvals),
    knownServers: createSharedKnownServers(knownServers),
    activity: createSharedActivity(database, records, { sums, finalRecords }),
    sessions: createSharedSessions(serials.sessions, program),
    usage,
    tokens: createSharedTokens(tokens, tokenUses, log),
    signIns: createSharedSignIns(signIns),
    users: createSharedUsers(users),
    userSessions: createSharedUserSessions(userSessions),
    scans: createSharedScans(scans!, lastReports, program),
    meta: createSharedMeta(meta),
    documents: createSharedDocuments(database, documents!, documentKeys),
    answers: createSharedAnswers(answers!),
    evidence: { state: "complete", marker: join(dir, DATABASE_MARKER_FILE) },
    writes: {
      get waiting() {
        return records.waiting().records + writers.reduce((sum, { waiting }) => sum + waiting, 0);
      },
      onCommit: commits.onCommit,
    },
    sharedConfig: createSharedConfiguration(database, configuration),
    cluster: {
      database,
      program,
      clock,
      startAnchors: (app, intervals) => startAnchors(app, database, intervals),
      share: (app) => shareWithReplicas(app, { database, program, replica, logs, every, closers }),
    },
    outdated() {
      if (fatal) return fatal;
      const staleMs = follower.staleMs();
      return staleMs > maxStaleMs
        ? new Fault("cluster_outdated", { seconds: Math.round(staleMs / 1000), limit: Math.round(maxStaleMs / 1000) })
        : undefined;
    },
    catchUp: follower.catchUp,
    sharedClock: clock,
    problem() {
      if (fatal) return fatal.message;
      const silentMs = follower.staleMs();
      if (silentMs > SILENCE_MS) return `the cluster's database has not answered for ${Math.round(silentMs / 1000)} s`;
      return refusal;
    },
    damage: () => undefined,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
