import { durationMs } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import type { StoreStart } from "../../../core/extension/store-engine.ts";
import { sealingKeyRing } from "../../../core/secrets/sealing-keys.ts";
import { databaseTarget } from "../database-target.ts";
import { encryptionKeys } from "../encryption-keys.ts";
import { Fault } from "../faults.ts";
import { requireSharedKey } from "../require-shared-key.ts";
import { openSharedStore, type SharedStore } from "./open-shared-store.ts";

const MIB = 1024 * 1024;

/**
 * Opens the store as the configuration says.
 *
 * @throws Fault of the cluster module, which names the remedy
 */
export async function openConfiguredStore({ config, dir, log, secrets, onFatal }: StoreStart): Promise<SharedStore> {
  const { database_url, encryption_keys, max_connections, max_stale, max_spool_mb } = config.cluster;
  const url = await secrets.resolve(database_url).catch((cause) => {
    throw new Fault("cluster_url_invalid", { reason: reasonOf(cause) }, { cause });
  });
  const target = databaseTarget(url);
  // Checked now, because otherwise the first sign-in would fail.
  const keys = await encryptionKeys(encryption_keys, secrets);
  const store = await openSharedStore({
    target,
    dir,
    log,
    maxConnections: max_connections,
    maxStaleMs: durationMs(max_stale)!,
    maxSpoolBytes: max_spool_mb * MIB,
    ...(onFatal && { onFatal }),
  });
  try {
    const ring = sealingKeyRing(async () => keys);
    const hasKey = (id: string) =>
      ring.byId(id).then(
        () => true,
        () => false,
      );
    await requireSharedKey({ ...store.cluster, meta: store.meta, hasKey, log });
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
