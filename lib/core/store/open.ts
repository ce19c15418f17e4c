import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Files, hostFiles } from "../../sqlite/files.ts";
import { loadSqlite } from "../../sqlite/load.ts";
import type { Sqlite } from "../../sqlite/types.ts";
import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { codeOf } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import type { Logger } from "../log/log.ts";
import { createActivity } from "./activity.ts";
import { createSums } from "./activity-sums.ts";
import { createAnswers } from "./answers.ts";
import { createApprovals } from "./approvals.ts";
import { type Connection, connect } from "./connection.ts";
import { checkEvidence, DATABASE, type Evidence } from "./evidence.ts";
import { createKnownServers } from "./known-servers.ts";
import { type FolderLock, lockFolder } from "./lock.ts";
import { createMeta, writeMeta } from "./meta.ts";
import { ownWrites } from "./own-writes.ts";
import { probeWrites } from "./probe.ts";
import { createQueue } from "./queue.ts";
import { createScanStore } from "./scans.ts";
import { createSessions } from "./sessions.ts";
import { createSignIns } from "./sign-ins.ts";
import type { Store } from "./store.ts";
import { STEPS } from "./tables.ts";
import { createTokens } from "./tokens.ts";
import { createUsage } from "./usage.ts";
import { createUserSessions } from "./user-sessions.ts";
import { createUsers } from "./users.ts";

export interface OpenOptions {
  /** The data directory; made when there is none. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Another engine or disk, in tests. */
  readonly sqlite?: Sqlite;
  readonly files?: Files;
}

export { DATABASE };

/**
 * Opens the store of a data directory and holds the directory until `close()`.
 *
 * @throws Fault database_locked, database_newer, database_damaged, disk_failed
 */
export async function openStore({ dir, clock, log, files = hostFiles, sqlite }: OpenOptions): Promise<Store> {
  const engine = sqlite ?? (await loadSqlite(files));
  const lock = await hold(dir, files);
  try {
    const folder = realpathSync(dir);
    const connection = connect({ file: join(folder, DATABASE), sqlite: engine, files, steps: STEPS });
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

/** Of the disk, or of what this user may take of it. */
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
    const reason = FULL.includes(codeOf(error))
      ? `the disk of data directory ${dir} is full (${reasonOf(error)}); free some room and start again; ` +
        "until then these work: proxy doctor, proxy config history, proxy db check"
      : `data directory ${dir}: ${reasonOf(error)}`;
    throw new Fault("disk_failed", { reason }, { cause: error });
  }
}

function assemble(connection: Connection, evidence: Evidence, lock: FolderLock, clock: Clock, log: Logger): Store {
  const probe = () => writeMeta(connection, "disk_tried_at", String(clock.now()));
  const queue = createQueue(connection, clock, log, probe);
  const sums = createSums(connection, queue, clock, log);
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
    approvals: createApprovals(connection, queue),
    knownServers: createKnownServers(connection, queue),
    activity: createActivity(connection, queue, sums, log),
    sessions: createSessions(connection, queue),
    usage: createUsage(connection, queue),
    tokens: createTokens(connection, queue, log),
    scans: createScanStore(connection, ownWrites(queue)),
    signIns: createSignIns(connection, queue),
    users: createUsers(connection, queue),
    userSessions: createUserSessions(connection, queue),
    meta: createMeta(connection, ownWrites(queue)),
    answers: createAnswers(connection, queue),
    evidence,
    problem: () => queue.problem() ?? connection.damage(),
    damage: () => connection.damage(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
