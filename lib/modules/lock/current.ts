import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { imageDigest } from "../isolation/container/image-digest.ts";
import { qualifiedImage } from "../isolation/runtime.ts";
import { containerEngine, serverIsolation } from "../isolation/state.ts";
import { installedOf } from "../packages/installed.ts";
import { launchOf } from "../packages/launch.ts";
import { LOCK_VERSION, type LockDocument, type LockedServer, type LockedTool, textLines } from "./document.ts";
import { itemsNow } from "./item-lock.ts";
import { packageOf, startOf, toolOf } from "./server-lock.ts";

/**
 * The current state of all configured servers, from stored data; no server is contacted.
 *
 * @throws Fault cancelled when the caller has disconnected
 */
export async function currentLock(app: App, signal?: AbortSignal): Promise<LockDocument> {
  const servers = new Map<string, LockedServer>();
  const pause = loopShare();
  for (const server of app.config.current().mcpServers) {
    if (signal?.aborted) throw new Fault("cancelled");
    servers.set(server.name, await serverNow(app, server, pause));
  }
  return { lockfile: LOCK_VERSION, servers: Object.fromEntries(servers) };
}

/** The current state of one server. */
export async function serverNow(app: App, server: ServerConfig, pause = loopShare()): Promise<LockedServer> {
  const around = { workingDir: server.working_dir, home: app.boot.machine.home };
  const launch = launchOf(server);
  const started = packageOf(server, await installedOf(launch, around));
  if (started?.source === "image" && started.digest === undefined) {
    const named = launch.version === undefined ? launch.name : `${launch.name}:${launch.version}`;
    const digest = await imageDigest(app.part(containerEngine), [named, qualifiedImage(named, "docker.io")]);
    if (digest !== undefined) started.digest = digest;
  }
  const container = await containerOf(app, server);
  const tools = new Map<string, LockedTool>();
  for (const row of app.catalog.of(server.name)) {
    tools.set(row.name, toolOf(row));
    const others = pause();
    if (others) await others;
  }
  const instructions = app.upstreams.get(server.name)?.status().instructions;
  return {
    start: startOf(server),
    ...(started && { package: started }),
    ...(container && { container }),
    ...(instructions && { instructions: textLines(instructions) }),
    tools: Object.fromEntries(tools),
    ...(await itemsNow(app, server.name, pause)),
  };
}

async function containerOf(app: App, server: ServerConfig): Promise<LockedServer["container"]> {
  const plan = app.part(serverIsolation).plan(server);
  if (plan.how !== "container") return undefined;
  const whole = qualifiedImage(plan.image, plan.registry);
  const digest = await imageDigest(app.part(containerEngine), [plan.image, whole]);
  return { image: whole, ...(digest !== undefined && { digest }) };
}
