import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { rfc3339 } from "#lib/core/base/clock.ts";
import type { VerifiedReplica } from "#lib/modules/cluster/anchors/verify-replicas.ts";
import type { Cli } from "./cli.ts";
import { EXIT, UsageError } from "./exit.ts";
import { offlineCluster } from "./offline-cluster.ts";

/**
 * Verifies the audit logs of a cluster against its anchors.
 *
 * @param copies folder with copies of the data directories of other replicas
 * @returns the exit code; undefined if the configuration names no cluster
 */
export async function verifyCluster(cli: Cli, copies: string | undefined): Promise<number | undefined> {
  const { globals, env } = cli;
  if (globals.url || env.SERVICE_URL) return undefined;
  const cluster = await offlineCluster(cli).catch(() => undefined);
  const block = cluster?.document.cluster as { database_url?: string; encryption_keys?: string[] } | undefined;
  if (!cluster || !block?.database_url) {
    if (copies !== undefined) throw new UsageError("--replicas needs a configuration with cluster.database_url");
    return undefined;
  }
  const { openClusterForReading } = await import("#lib/modules/cluster/anchors/open-cluster-for-reading.ts");
  const { database, keys } = await openClusterForReading(cluster);
  try {
    const { verifyAnchors } = await import("#lib/modules/cluster/anchors/verify-anchors.ts");
    const { verifyReplicas } = await import("#lib/modules/cluster/anchors/verify-replicas.ts");
    const anchors = await verifyAnchors(database, keys);
    const folder = copies === undefined ? undefined : resolve(copies);
    const others = folder === undefined ? [] : (await readdir(folder)).map((name) => join(folder, name));
    const replicas = await verifyReplicas(anchors, [cluster.dataDir, ...others]);
    const ok = anchors.problems.length === 0 && replicas.every(({ problems }) => problems.length === 0);
    const shown = { ok, anchors: { count: anchors.count, problems: anchors.problems }, replicas };
    await cli.show(shown, () =>
      [
        ...anchors.problems,
        `${anchors.count} anchor(s), ${anchors.problems.length === 0 ? "intact" : `${anchors.problems.length} problem(s)`}`,
        ...replicas.flatMap((replica) => [...replica.problems.map((text) => `  ${text}`), replicaText(replica)]),
      ].join("\n"),
    );
    return ok ? EXIT.ok : EXIT.failed;
  } finally {
    database.close();
  }
}

function replicaText({ replica, path, lines, anchored, problems }: VerifiedReplica): string {
  const until = anchored ? `anchored until line ${anchored.seq}, ${rfc3339(anchored.at)}` : "not anchored yet";
  if (path === undefined) return `replica ${replica}: its log is not here; ${until}`;
  const state = problems.length === 0 ? "intact" : `${problems.length} problem(s)`;
  return `replica ${replica}: ${path}, ${lines} line(s), ${state}; ${until}`;
}
