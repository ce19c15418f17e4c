import type { App } from "../app.ts";
import { launchOf } from "../scan/launch.ts";
import { installedOf } from "../scanner/installed.ts";
import { LOCK_VERSION, type LockDocument, type LockedServer, lines } from "./document.ts";
import { packageOf, startOf, toolOf } from "./server-lock.ts";

/** The fleet as it is now: every configured server with what is known of it. No server is asked anything. */
export async function currentLock(app: App): Promise<LockDocument> {
  const servers = new Map<string, LockedServer>();
  for (const server of app.config.current().mcpServers) {
    const around = { workingDir: server.working_dir, home: app.boot.machine.home };
    const installed = await installedOf(launchOf(server), around);
    const started = packageOf(server, installed);
    const instructions = app.upstreams.get(server.name)?.status().instructions;
    servers.set(server.name, {
      start: startOf(server),
      ...(started && { package: started }),
      ...(instructions && { instructions: lines(instructions) }),
      tools: Object.fromEntries(app.catalog.of(server.name).map((row) => [row.name, toolOf(row)])),
    });
  }
  return { lockfile: LOCK_VERSION, servers: Object.fromEntries(servers) };
}
