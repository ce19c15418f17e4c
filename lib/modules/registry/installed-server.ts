import type { App } from "../../core/app.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { InstalledServer } from "../../core/schema/registry.ts";
import { serverRecord } from "../../core/verbs/servers/record.ts";
import type { Installed } from "./install.ts";

/** The response about a server that was added from a registry (spec 000 §2.7). */
export function installedServer(app: App, { name, secrets }: Installed, caller: Caller): InstalledServer {
  const { protocol, command, args, url, enabled, quarantined, held, source_registry_id, source_registry_version } =
    serverRecord(app, name, caller);
  return {
    name,
    protocol,
    ...(command !== undefined && { command }),
    ...(args && { args }),
    ...(url !== undefined && { url }),
    enabled,
    quarantined,
    ...(held && { held }),
    ...(source_registry_id !== undefined && { source_registry_id }),
    ...(source_registry_version !== undefined && { source_registry_version }),
    secrets,
  };
}
