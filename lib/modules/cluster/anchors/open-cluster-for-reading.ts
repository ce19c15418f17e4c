import type { SealingKeys } from "../../../core/secrets/sealing-keys.ts";
import { type Database, openDatabase } from "../database.ts";
import { databaseTarget } from "../database-target.ts";
import { type OfflineCluster, openKeys } from "../migrate/run-migration.ts";

/**
 * Opens the database of a cluster for a command that only reads. The caller closes it.
 *
 * @throws Fault config_invalid, cluster_not_selected, and those of the database
 */
export async function openClusterForReading(
  cluster: OfflineCluster,
): Promise<{ database: Database; keys: Pick<SealingKeys, "byId"> }> {
  const { url, shared } = openKeys(cluster, cluster.dataDir);
  const database = openDatabase(databaseTarget(await url()), { name: "proxy verification", maxConnections: 1 });
  return { database, keys: shared };
}
