import * as v from "valibot";
import { defineConfig, replicaRestart } from "../../core/config/config-keys.ts";
import { duration, integer, strings } from "../../core/config/fields.ts";

const about = v.description;

const Cluster = v.looseObject({
  database_url: v.optional(
    v.pipe(
      v.string(),
      about(
        "URL of the PostgreSQL database (version 13 or newer) that all replicas share, preferably a reference such as `${env:DATABASE_URL}`; empty: this proxy has its own database",
      ),
    ),
    "",
  ),
  encryption_keys: v.optional(
    v.pipe(
      strings(),
      v.maxLength(10, "too many keys (at most 10)"),
      about(
        "keys that encrypt sign-ins and other secrets in the database, 32 bytes in base64, preferably references; the first one encrypts, all of them decrypt",
      ),
    ),
    [],
  ),
  replica_listen: v.optional(
    v.pipe(
      v.string(),
      about(
        "`host:port` at which the other replicas reach the processes of this one; empty: each replica runs its own process of every server with a command",
      ),
    ),
    "",
  ),
  replica_address: v.optional(
    v.pipe(
      v.string(),
      about(
        "`host:port` by which the other replicas connect to `replica_listen`, such as `${env:POD_IP}:9443`; empty: `replica_listen`",
      ),
    ),
    "",
  ),
  max_connections: v.optional(v.pipe(integer(3, 50), about("maximum number of connections to the database")), 8),
  max_stale: v.optional(
    v.pipe(
      duration(5000, 86_400_000, "5s to 24h"),
      about(
        "how long calls go on while the database does not answer; revoked approvals and credentials are valid for that long at most",
      ),
    ),
    "60s",
  ),
  stop_delay: v.optional(
    v.pipe(
      duration(0, 300_000, "0 to 5m"),
      about(
        "how long a replica that is told to stop still serves while `/readyz` answers 503, so that the load balancer stops using it first",
      ),
    ),
    "5s",
  ),
  max_spool_mb: v.optional(
    v.pipe(
      integer(1, 100_000),
      about("maximum size of activity records that wait in files while the database does not answer (MB)"),
    ),
    256,
  ),
});

/** Configuration of a cluster. */
export const config = defineConfig(
  {
    cluster: [
      v.optional(Cluster, {}),
      { ...replicaRestart, envMembers: ["database_url", "encryption_keys", "replica_listen", "replica_address"] },
      "several replicas of the proxy that share one database (docs/cluster.md)",
    ],
  },
  { after: "logging" },
);
