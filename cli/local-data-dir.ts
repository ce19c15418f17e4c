import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";

/** The data directory for a command that works without a proxy. @throws UsageError if a remote proxy was selected */
export async function localDataDir({ globals, env }: Cli): Promise<string> {
  if (globals.url || env.SERVICE_URL)
    throw new UsageError(
      "this command reads local files: run it on the proxy's machine with --data-dir, without --url and SERVICE_URL",
    );
  const { offlineConfig } = await import("#lib/read-config.ts");
  return (await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env })).dataDir;
}
