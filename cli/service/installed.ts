import { existsSync } from "node:fs";
import type { Cli } from "../cli.ts";
import { ownService } from "./own-service.ts";
import { runTool } from "./run-tool.ts";
import type { Service } from "./service.ts";

/** The service of the selected data directory if it is installed. */
export async function installedService(cli: Cli): Promise<Service | undefined> {
  if (!["linux", "darwin", "win32"].includes(process.platform)) return undefined;
  const service = await ownService(cli);
  return (await isInstalled(cli, service)) ? service : undefined;
}

/** Whether the service manager has the service. */
export async function isInstalled(cli: Cli, { file, name }: Service): Promise<boolean> {
  if (file) return existsSync(file.path);
  return (await runTool(["schtasks", "/Query", "/TN", name], cli)).code === 0;
}
