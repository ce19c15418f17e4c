import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the shared database of a cluster. */
export const faults = defineFaults({
  cluster_call_refused: {
    status: 403,
    text: (p: { server: string; reason: string }) =>
      `the replica that runs "${p.server}" refuses the call: ${p.reason}; replicas may differ for a moment after a change, so repeat the call if the change allows it`,
  },
  cluster_database_missing: {
    status: 500,
    text: (p: { database: string; host: string }) =>
      `the PostgreSQL server at ${p.host} has no database "${p.database}"; create it with: createdb --encoding=UTF8 ${p.database}; or correct cluster.database_url`,
  },
  cluster_database_unreachable: {
    status: 500,
    text: (p: { host: string; reason: string; remedy: string }) =>
      `cannot connect to the PostgreSQL server at ${p.host}: ${p.reason}; ${p.remedy}`,
  },
  cluster_database_unsuitable: {
    status: 500,
    text: (p: { database: string; host: string; reason: string; remedy: string }) =>
      `the database "${p.database}" at ${p.host} cannot be used: ${p.reason}; ${p.remedy}`,
  },
  cluster_key_missing: {
    status: 500,
    text: (p: { reason: string }) =>
      `cluster.encryption_keys: ${p.reason}; all replicas need the same key of 32 bytes in base64, such as "\${env:PROXY_CLUSTER_KEY}"; make one with: openssl rand -base64 32`,
  },
  cluster_key_wrong: {
    status: 500,
    text: () =>
      "cluster.encryption_keys lacks the key of the other replicas, so this one cannot read what they encrypt; use their keys; if the keys are lost, stop all replicas for 20 s before you start one with a new key",
  },
  cluster_list_slow: {
    status: 503,
    text: () =>
      "the database was stopped because it needed more than 5 s for this list; ask for a shorter time, for one server or for one session, and follow `next_cursor` instead of a large `offset`",
  },
  cluster_listener_invalid: {
    status: 400,
    text: (p: { key: string; reason: string }) =>
      `cluster.${p.key} is invalid: ${p.reason}; set it to an address such as "10.0.0.5:9443" or "\${env:POD_IP}:9443"`,
  },
  cluster_migration_differs: {
    status: 500,
    text: (p: { table: string; from: string; to: string }) =>
      `the rows of "${p.table}" differ after they were copied (${p.from} and ${p.to}); nothing of the source was changed; make sure that no proxy uses either database and repeat the command`,
  },
  cluster_migration_unfinished: {
    status: 500,
    text: () =>
      "the data of an embedded database was moved to the cluster's database only in part; repeat: proxy cluster migrate",
  },
  cluster_not_empty: {
    status: 409,
    text: (p: { database: string }) =>
      `the database "${p.database}" has the data of a cluster already; use an empty database`,
  },
  cluster_not_selected: {
    status: 400,
    text: () => "cluster.database_url is not set; set it, and cluster.encryption_keys, in the configuration file",
  },
  cluster_schema_changed: {
    status: 500,
    text: (p: { step: number }) =>
      `step ${p.step} of the cluster's tables differs from this program's; another program, or an unreleased version of this one, has changed the database; use another database or the version that changed it`,
  },
  cluster_schema_newer: {
    status: 500,
    text: (p: { needed: number; known: number }) =>
      `the cluster's tables were changed by a newer version (they need a program with ${p.needed} steps, this one has ${p.known}); update this program`,
  },
  cluster_sign_in_refused: {
    status: 500,
    text: (p: { user: string; host: string; reason: string }) =>
      `the PostgreSQL server at ${p.host} refuses the sign-in of "${p.user}": ${p.reason}; correct the user or the password in cluster.database_url, or the server's pg_hba.conf`,
  },
  cluster_url_invalid: {
    status: 400,
    text: (p: { reason: string }) =>
      `cluster.database_url is invalid: ${p.reason}; it has the form postgres://user:password@host:5432/database?sslmode=verify-full`,
  },
  cluster_workers_alone: {
    status: 500,
    text: () =>
      "--workers needs a database that the workers share; set cluster.database_url to a PostgreSQL database, or start the proxy without --workers",
  },
});
