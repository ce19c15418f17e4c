import { module, provide } from "../../core/extension/module.ts";
import { processPlacement } from "../../core/extension/process-placement.ts";
import { replicaSharing } from "../../core/extension/replica-sharing.ts";
import { sharesSessions } from "../../core/extension/shares-sessions.ts";
import { sealingKeyRing } from "../../core/secrets/sealing-keys.ts";
import { compareApiKeys } from "./api-key-agreement.ts";
import { clusterChecks } from "./checks.ts";
import { config } from "./config.ts";
import { encryptionKeys } from "./encryption-keys.ts";
import { Fault, faults } from "./faults.ts";
import { clusterPlacement } from "./stdio/cluster-placement.ts";
import type { SharedStore } from "./store/open-shared-store.ts";

export default module("cluster", {
  needs: ["audit", "oauth", "tls"],
  config,
  faults,
  // Loaded only by a replica of a cluster.
  storeEngine(start) {
    if (start.config.cluster.database_url === "") {
      if (start.worker) throw new Fault("cluster_workers_alone");
      return undefined;
    }
    return import("./store/open-configured-store.ts").then(({ openConfiguredStore }) => openConfiguredStore(start));
  },
  sealingKeys({ config: { cluster }, secrets }) {
    if (cluster.database_url === "") return undefined;
    // A change of the keys takes effect at the next start.
    let keys: Promise<readonly Buffer[]> | undefined;
    return sealingKeyRing(() => {
      keys ??= encryptionKeys(cluster.encryption_keys, secrets).catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
      return keys;
    });
  },
  doctorChecks: clusterChecks,
  provides: [
    provide(processPlacement, clusterPlacement),
    provide(replicaSharing, (app) =>
      app.config.current().cluster.database_url === "" ? undefined : (app.store as SharedStore).cluster.share(app),
    ),
    provide(sharesSessions, ({ config }) => config.current().cluster.database_url !== ""),
  ],
  start(app) {
    // Opened at once, because the other replicas need this one's events.
    if (!app.part(replicaSharing)) return () => {};
    app.log.catch("comparing the API keys of the replicas", compareApiKeys(app));
    return app.boot.automatic ? (app.store as SharedStore).cluster.startAnchors(app) : () => {};
  },
});
