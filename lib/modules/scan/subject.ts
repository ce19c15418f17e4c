import { createHash } from "node:crypto";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { launchDefinition } from "../../core/upstream/target.ts";
import { installedOf } from "../packages/installed.ts";
import { launchOf } from "../packages/launch.ts";
import type { Subject } from "./scanner.ts";

/** A server as it is at this moment. @throws Fault server_not_found */
export async function subjectOf(app: App, name: string): Promise<Subject> {
  const server = app.config.server(name);
  if (!server) throw new Fault("server_not_found", { server: name });
  const launch = launchOf(server);
  const around = { workingDir: server.working_dir, home: app.boot.machine.home };
  return {
    server,
    tools: app.catalog.of(name),
    instructions: app.upstreams.get(name)?.status().instructions,
    launch,
    installed: await installedOf(launch, around),
  };
}

/** Another one wherever what was scanned is no longer what there is. */
export function fingerprintOf(app: Pick<App, "config" | "catalog" | "upstreams">, name: string): string {
  const server = app.config.server(name);
  const hash = createHash("sha256");
  if (server) hash.update(launchDefinition(server));
  for (const pin of app.catalog
    .of(name)
    .map((row) => row.hash)
    .sort())
    hash.update(pin);
  hash.update(app.upstreams.get(name)?.status().instructions ?? "");
  return hash.digest("hex");
}
