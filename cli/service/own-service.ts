import { createHash } from "node:crypto";
import { homedir, userInfo } from "node:os";
import type { Cli } from "../cli.ts";
import { UsageError } from "../exit.ts";
import { localDataDir } from "../local-data-dir.ts";
import { selfCommand } from "../self.ts";
import { launchdService } from "./launchd.ts";
import type { Service } from "./service.ts";
import { systemdService } from "./systemd.ts";
import { scheduledTask } from "./task-scheduler.ts";

const MAKERS: Partial<Record<NodeJS.Platform, typeof systemdService>> = {
  linux: systemdService,
  darwin: launchdService,
  win32: scheduledTask,
};

/** The service for the selected data directory. @throws UsageError on a platform without one */
export async function ownService(cli: Cli): Promise<Service> {
  const { config, dataDir } = cli.globals;
  const make = MAKERS[process.platform];
  if (!make) throw new UsageError(`there are no services for ${process.platform} here; run: ${cli.self} up`);
  const isUsual = config === undefined && dataDir === undefined && !cli.env.SERVICE_DATA;
  const folder = await localDataDir(cli);
  const flags = isUsual ? [] : [...(config === undefined ? [] : ["--config", config]), "--data-dir", folder];
  return make({
    name: isUsual ? "mcpproxy" : `mcpproxy-${createHash("sha256").update(folder).digest("hex").slice(0, 8)}`,
    command: selfCommand("serve", ...flags),
    home: cli.env.HOME || homedir(),
    path: cli.env.PATH ?? "",
    uid: process.platform === "win32" ? 0 : userInfo().uid,
    configHome: cli.env.XDG_CONFIG_HOME,
  });
}
