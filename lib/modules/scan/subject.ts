import { createHash, type Hash } from "node:crypto";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import { LISTED_KINDS } from "../../core/schema/item.ts";
import { launchDefinition } from "../../core/upstream/target.ts";
import { installedOf } from "../packages/installed.ts";
import { launchOf } from "../packages/launch.ts";
import type { Subject } from "./scanner.ts";

/** The current state of a server. @throws Fault server_not_found */
export async function subjectOf(app: App, name: string): Promise<Subject> {
  const server = app.config.server(name);
  if (!server) throw new Fault("server_not_found", { server: name });
  const launch = launchOf(server);
  const around = { workingDir: server.working_dir, home: app.boot.machine.home };
  return {
    server,
    tools: app.catalog.of(name),
    items: LISTED_KINDS.flatMap((kind) => app.catalog.items.of(name, kind)),
    instructions: app.upstreams.get(name)?.status().instructions,
    launch,
    installed: await installedOf(launch, around),
  };
}

/**
 * A hash that changes whenever the scanned state changes: the definition, the instructions, or the pin of a tool,
 * prompt, resource or template. The order of lists does not matter.
 */
export async function fingerprintOf(app: Pick<App, "config" | "catalog" | "upstreams">, name: string): Promise<string> {
  const server = app.config.server(name);
  const hash = createHash("sha256");
  if (server) hash.update(launchDefinition(server));
  await updateByPins(hash, app.catalog.of(name));
  for (const kind of LISTED_KINDS) await updateByPins(hash, app.catalog.items.of(name, kind));
  hash.update(app.upstreams.get(name)?.status().instructions ?? "");
  return hash.digest("hex");
}

/**
 * Hashes the pins of a list in sorted order. They are sorted in 256 portions with pauses, because a list can have
 * 20,000 entries.
 */
async function updateByPins(hash: Hash, rows: readonly { readonly hash: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const pause = loopShare();
  const portions = new Map<string, string[]>();
  for (const { hash: pin } of rows) {
    const digits = pin.slice(-64);
    const portion = portions.get(digits.slice(0, 2));
    if (portion) portion.push(pin);
    else portions.set(digits.slice(0, 2), [pin]);
  }
  for (const [, pins] of [...portions].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(pins.sort().join(""));
    await pause();
  }
}
