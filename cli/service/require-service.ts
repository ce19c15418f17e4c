import type { Cli } from "../cli.ts";
import { installedService } from "./installed.ts";
import type { Service } from "./service.ts";

/** The installed service. @throws Error with the remedy if there is none */
export async function requireService(cli: Cli): Promise<Service> {
  const service = await installedService(cli);
  if (!service) throw new Error(`the service is not installed; install it with: ${cli.self} service install`);
  return service;
}
