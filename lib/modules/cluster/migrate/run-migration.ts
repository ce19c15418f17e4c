import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { createFileDurably } from "../../../core/base/file.ts";
import { makeFolder } from "../../../core/base/folder.ts";
import type { JsonObject } from "../../../core/base/json-object.ts";
import { checkConfig } from "../../../core/config/check.ts";
import { documentText } from "../../../core/config/document.ts";
import { dataFolder } from "../../../core/config/paths.ts";
import { replicaPart } from "../../../core/config/shared-part.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { type Keyring, keyringService, osKeyring } from "../../../core/secrets/keyring.ts";
import { openSecrets } from "../../../core/secrets/open-secrets.ts";
import { sealingKeyRing } from "../../../core/secrets/sealing-keys.ts";
import { connectDatabase, type DatabaseConnection } from "../../../core/store/database-connection.ts";
import { DATABASE_FILE } from "../../../core/store/database-identity.ts";
import { lockFolder } from "../../../core/store/lock.ts";
import { MIGRATIONS } from "../../../core/store/migrations.ts";
import { hostFiles } from "../../../sqlite/files.ts";
import { loadSqlite } from "../../../sqlite/load.ts";
import { applySteps } from "../apply-steps.ts";
import { checkDatabase } from "../check-database.ts";
import { type Database, openDatabase } from "../database.ts";
import { databaseTarget } from "../database-target.ts";
import { encryptionKeys } from "../encryption-keys.ts";
import { Fault } from "../faults.ts";
import { removeProgram } from "../programs.ts";
import { SCHEMA_STEPS } from "../schema-step.ts";
import { exportDirectory } from "./export-directory.ts";
import { type MovedCount, migrateDirectory } from "./migrate-directory.ts";
import { resealSignIns } from "./reseal-sign-in.ts";

/** What the commands know while no proxy runs. */
export interface OfflineCluster {
  /** The content of the configuration file, which selects the shared database. */
  readonly document: JsonObject;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly signal?: AbortSignal;
  /** Replaces the operating system's keyring. */
  readonly keyring?: () => Promise<Keyring>;
}

/**
 * Moves the data of a data directory to the shared database that its configuration selects. The data directory stays as
 * it is.
 *
 * @throws Fault database_locked while a proxy runs, cluster_not_selected, and those of the database
 */
export async function migrateToCluster(
  cluster: OfflineCluster,
  onProgress: (table: string, rows: number) => void,
): Promise<MovedCount[]> {
  const { dataDir, document, signal } = cluster;
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    throw new Fault("no_such_record", { what: "database", id: join(dataDir, DATABASE_FILE) });
  const opened = openKeys(cluster, dataDir);
  return await withSharedDatabase(opened, (database) =>
    withEmbeddedDatabase(dataDir, async (embedded) => {
      const reseal = resealSignIns(opened.own, opened.shared);
      return await migrateDirectory({ embedded, database, document, reseal, onProgress, ...(signal && { signal }) });
    }),
  );
}

/**
 * Writes the data of a cluster to a new data directory, with a configuration file that does not use the cluster any
 * more.
 *
 * @throws Fault invalid_request if the folder is not empty, cluster_not_selected, and those of the database
 */
export async function exportFromCluster(cluster: OfflineCluster, dir: string): Promise<MovedCount[]> {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new Fault("invalid_request", { reason: `${dir} is not empty; name a new folder` });
  const opened = openKeys(cluster, dir);
  const { signal } = cluster;
  makeFolder(dir);
  return await withSharedDatabase(opened, (database) =>
    withEmbeddedDatabase(dir, async (embedded) => {
      const reseal = resealSignIns(opened.shared, opened.own);
      const found = await exportDirectory({ database, embedded, reseal, ...(signal && { signal }) });
      const { cluster: _, data_dir: __, ...own } = replicaPart(cluster.document);
      const text = documentText({ ...own, mcpServers: [], ...found.configuration });
      await createFileDurably(join(dir, "mcp_config.json"), text);
      return found.tables;
    }),
  );
}

type OpenKeys = ReturnType<typeof openKeys>;

/** @param dataDir the directory whose own keys are used */
export function openKeys({ document, dataDir: home, env, log, keyring }: OfflineCluster, dataDir: string) {
  const checked = checkConfig(document);
  if (!checked.ok) throw new Fault("config_invalid", { reason: checked.problems[0].text });
  const { cluster } = checked.config;
  if (cluster.database_url === "") throw new Fault("cluster_not_selected");
  const usual = dataFolder({ env: { HOME: env.HOME, USERPROFILE: env.USERPROFILE } }, undefined);
  const secretsOf = (dir: string) =>
    openSecrets({ dataDir: dir, env, log, keyring: keyring ?? (() => osKeyring(keyringService(dir, usual))) });
  const secrets = secretsOf(home);
  return {
    url: () => secrets.resolve(cluster.database_url),
    shared: sealingKeyRing(() => encryptionKeys(cluster.encryption_keys, secrets)),
    own: secretsOf(dataDir).sealingKeys,
  };
}

async function withSharedDatabase<T>({ url, shared }: OpenKeys, work: (database: Database) => Promise<T>): Promise<T> {
  await shared.forSealing();
  const database = openDatabase(databaseTarget(await url()), { name: "proxy migration", maxConnections: 2 });
  const id = randomUUID();
  try {
    await checkDatabase(database);
    await applySteps(database, SCHEMA_STEPS, { id });
    const result = await work(database);
    await database.run((sql) => removeProgram(sql, id));
    return result;
  } finally {
    database.close();
  }
}

async function withEmbeddedDatabase<T>(dir: string, work: (embedded: DatabaseConnection) => Promise<T>): Promise<T> {
  const lock = await lockFolder(dir);
  try {
    const sqlite = await loadSqlite(hostFiles);
    const file = join(dir, DATABASE_FILE);
    const embedded = connectDatabase({ file, sqlite, files: hostFiles, steps: MIGRATIONS });
    try {
      return await work(embedded);
    } finally {
      embedded.close();
    }
  } finally {
    await lock.release();
  }
}
