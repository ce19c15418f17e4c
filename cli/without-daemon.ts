import { Fault } from "#lib/core/base/fault.ts";
import type { OfflineConfig } from "#lib/core/config/offline.ts";
import { createLog } from "#lib/core/log/create-log.ts";
import type { Logger } from "#lib/core/log/logger.ts";
import { scrubLine } from "#lib/core/secrets/mask/lines.ts";
import type { Cli } from "./cli.ts";

/** Requests the running proxy, or works on the files of the configuration if none runs and none was selected. */
export async function withoutDaemon<T, U>(
  { globals, env }: Cli,
  ask: () => Promise<T>,
  work: (config: OfflineConfig, log: Logger) => Promise<U>,
): Promise<T | U> {
  try {
    return await ask();
  } catch (error) {
    const away = error instanceof Fault && (error as Fault).code === "daemon_not_running";
    if (!away || globals.url || env.SERVICE_URL) throw error;
  }
  const { offlineConfig } = await import("#lib/read-config.ts");
  const log = createLog({ level: "warn", scrub: scrubLine });
  try {
    return await work(await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env }), log);
  } finally {
    await log.close();
  }
}
