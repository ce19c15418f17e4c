import { createLog } from "#lib/core/log/create-log.ts";
import { scrubLine } from "#lib/core/secrets/mask/lines.ts";
import type { OfflineCluster } from "#lib/modules/cluster/migrate/run-migration.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";

/** The configuration of a replica that does not run. @throws UsageError, Fault config_invalid */
export async function offlineCluster({ globals, env }: Cli): Promise<OfflineCluster> {
  if (globals.url || env.SERVICE_URL)
    throw new UsageError("this command reads local files: run it with --data-dir, without --url and SERVICE_URL");
  const { offlineConfig, parseDocument } = await import("#lib/read-config.ts");
  const { path, dataDir, text } = await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env });
  if (text === undefined) throw new UsageError(`there is no configuration file ${path}`);
  return { document: parseDocument(text, path), dataDir, env, log: createLog({ level: "warn", scrub: scrubLine }) };
}
