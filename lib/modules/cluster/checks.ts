import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { apiKeyAgreement } from "./api-key-agreement.ts";
import { clockDifference, isClockWrong } from "./database-clock.ts";

/** The checks that this module adds to `proxy doctor`. */
export const clusterChecks: readonly DoctorCheck[] = [{ name: "cluster", area: "disk", run: clusterFindings }];

/** Longer than this a revoked credential should not be valid. (ms) */
const LONG_STALE_MS = 10 * 60_000;

/** Reports what a replica of a cluster cannot do at the moment, and settings that weaken it. */
function clusterFindings(app: App): DoctorFinding[] {
  const { cluster, mcpServers } = app.config.current();
  if (cluster.database_url === "") return [];
  const findings: DoctorFinding[] = [];
  const problem = app.store.problem();
  if (problem !== undefined)
    findings.push({
      code: "cluster_database",
      severity: "error",
      title: "The cluster's database does not answer or takes no changes",
      detail: `${problem}. Changes are rejected; if it does not answer, so are calls after ${cluster.max_stale}.`,
      remedy: { action: "Start the PostgreSQL server, restore the network to it, or do what the reason says" },
    });
  if (/:\/\/[^/@]*:[^/@]+@/.test(cluster.database_url))
    findings.push({
      code: "cluster_password_in_file",
      severity: "warning",
      title: "The password of the cluster's database is in the configuration file",
      detail: "Everybody who reads the file can change approvals and tokens.",
      remedy: { action: "Set cluster.database_url to a reference such as ${env:DATABASE_URL}" },
    });
  if (durationMs(cluster.max_stale)! > LONG_STALE_MS)
    findings.push({
      code: "cluster_max_stale",
      severity: "warning",
      title: `While the database is away, revoked credentials stay valid for ${cluster.max_stale}`,
      detail: "A replica that cannot reach the database does not learn what others revoke.",
      remedy: { action: "Set cluster.max_stale to a few minutes or less" },
    });
  if (app.part(apiKeyAgreement).differs)
    findings.push({
      code: "cluster_api_keys_differ",
      severity: "error",
      title: "This replica has another API key than the replica that started before it",
      detail: "Behind a load balancer, an administrator is refused at every replica with another key.",
      remedy: { action: "Set the same api_key at all replicas, and restart them" },
    });
  const measured = app.store.sharedClock?.measured();
  if (measured && isClockWrong(measured))
    findings.push({
      code: "cluster_clock",
      severity: "warning",
      title: `The clock of this machine is ${clockDifference(measured.offsetMs)}`,
      detail:
        "The replica uses the time of the database, but certificates and tokens of other services need the right time.",
      remedy: { action: "Synchronise the clocks of the replicas and of the database, such as with NTP" },
    });
  const isShared = cluster.replica_listen !== "";
  const stdio = mcpServers.filter(({ enabled, command }) => enabled && command).map(({ name }) => name);
  if (stdio.length > 0 && !isShared)
    findings.push({
      code: "cluster_stdio_servers",
      severity: "info",
      title: `Each replica starts its own process of ${stdio.length} server(s): ${stdio.slice(0, 10).join(", ")}`,
      detail: "A server that keeps state in its process has another state at each replica.",
      remedy: { action: "Set cluster.replica_listen at every replica, so that each server runs once" },
    });
  return findings;
}
