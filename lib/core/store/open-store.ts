import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Files, hostFiles } from "../../sqlite/files.ts";
import { loadSqlite } from "../../sqlite/load.ts";
import type { Sqlite } from "../../sqlite/types.ts";
import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { systemErrorCode } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import type { Logger } from "../log/logger.ts";
import { createActivityStore } from "./activity.ts";
import { createActivitySums } from "./activity-sums.ts";
import { createAnswerStore } from "./answers.ts";
import { createApprovalStores } from "./approvals.ts";
import { createDatabase } from "./create-database.ts";
import { connectDatabase, type DatabaseConnection } from "./database-connection.ts";
import { checkEvidence, DATABASE_FILE, type DatabaseIdentity } from "./database-identity.ts";
import { createKnownServerStore } from "./known-servers.ts";
import { type FolderLock, lockFolder } from "./lock.ts";
import { createDocumentStore, createMetaStore, writeMeta } from "./meta.ts";
import { MIGRATIONS } from "./migrations.ts";
import { probeWrites } from "./probe-writes.ts";
import { createScanStore } from "./scans.ts";
import { createSessionStore } from "./sessions.ts";
import { createSignInStore } from "./sign-ins.ts";
import type { Store } from "./store.ts";
import { tableQueue } from "./table-queue.ts";
import { createTokenStore } from "./tokens.ts";
import { createUsageStore } from "./usage.ts";
import { createUserSessionStore } from "./user-sessions.ts";
import { createUserStore } from "./users.ts";
import { createWriteQueue } from "./write-queue.ts";

export interface StoreOptions {
  /** The data directory; created if absent. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The database engine, if it is not the default; used in tests. */
  readonly sqlite?: Sqlite;
  readonly files?: Files;
}

export { DATABASE_FILE } from "./database-identity.ts";

/**
 * Opens the store in a data directory and locks the directory until `close()`.
 *
 * @throws Fault database_locked, database_newer, database_damaged, disk_failed
 */
export async function openStore({ dir, clock, log, files = hostFiles, sqlite }: StoreOptions): Promise<Store> {
  const engine = sqlite ?? (await loadSqlite(files));
  const lock = await hold(dir, files);
  try {
    const folder = realpathSync(dir);
    const file = join(folder, DATABASE_FILE);
    // Another disk makes its database itself, so that tests of failures cover that too.
    if (files === hostFiles) await createDatabase(file);
    const connection = connectDatabase({
      file,
      sqlite: engine,
      files,
      steps: MIGRATIONS,
    });
    const own = log.tagged("store");
    const evidence = await checkEvidence(folder, connection, own).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    return assemble(connection, evidence, lock, clock, own);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The disk is full, or the user's quota is used up. */
const FULL = ["ENOSPC", "EDQUOT"];

async function hold(dir: string, files: Files): Promise<FolderLock> {
  let lock: FolderLock | undefined;
  try {
    makeFolder(dir);
    lock = await lockFolder(dir);
    probeWrites(dir, files);
    return lock;
  } catch (error) {
    await lock?.release();
    if (error instanceof Fault) throw error;
    const reason = FULL.includes(systemErrorCode(error))
      ? `the disk of data directory ${dir} is full (${reasonOf(error)}); free disk space and start again; ` +
        "until then, these commands work: `proxy doctor`, `proxy config history`, `proxy db check`"
      : `data directory ${dir}: ${reasonOf(error)}`;
    throw new Fault("disk_failed", { reason }, { cause: error });
  }
}

function assemble(
  connection: DatabaseConnection,
  evidence: DatabaseIdentity,
  lock: FolderLock,
  clock: Clock,
  log: Logger,
): Store {
  const probe = () => writeMeta(connection, "disk_tried_at", String(clock.now()));
  const queue = createWriteQueue(connection, clock, log, probe);
  const sums = createActivitySums(connection, queue, clock, log);
  const metaQueue = tableQueue(queue);
  const meta = createMetaStore(connection, metaQueue);
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      await sums.close();
      await queue.close();
      connection.close();
    } finally {
      await lock.release();
    }
  };
  return {
    ...createApprovalStores(connection, queue),
    knownServers: createKnownServerStore(connection, queue),
    activity: createActivityStore(connection, queue, sums, log),
    sessions: createSessionStore(connection, queue),
    usage: createUsageStore(connection, queue),
    tokens: createTokenStore(connection, queue, log),
    scans: createScanStore(connection, tableQueue(queue)),
    signIns: createSignInStore(connection, queue),
    users: createUserStore(connection, queue),
    userSessions: createUserSessionStore(connection, queue),
    meta,
    documents: createDocumentStore(meta, connection, metaQueue),
    answers: createAnswerStore(connection, queue),
    evidence,
    writes: queue,
    problem: () => queue.problem() ?? connection.damage(),
    damage: () => connection.damage(),
    // No other process uses the database.
    outdated: () => undefined,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
