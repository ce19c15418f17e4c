import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";

/** The data directory that a command works on by itself. @throws UsageError where a proxy elsewhere was named */
export async function localDataDir({ globals, env }: Cli): Promise<string> {
  if (globals.url || env.SERVICE_URL)
    throw new UsageError(
      "this command works on files: run it on the machine of the proxy, without --url and SERVICE_URL, and name --data-dir",
    );
  const { offlineConfig } = await import("#lib/core/config/offline.ts");
  return (await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env })).dataDir;
}
