import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the shared database of a cluster. */
export const faults = defineFaults({
  cluster_database_away: {
    status: 503,
    text: (p: { reason: string }) =>
      `the cluster's database does not answer (${p.reason}); if this was a change, read whether it was made before you repeat it`,
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
});
