import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { App } from "../../core/app.ts";
import { canonicalJson } from "../../core/base/canonical.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import { type Actor, INTERNAL_CALLER } from "../../core/schema/caller.ts";
import type { Integrity } from "../../core/schema/integrity.ts";
import type { Difference } from "../../core/schema/lock-verification.ts";
import { quarantineServer } from "../../core/verbs/servers/enable.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { compare } from "../lock/compare.ts";
import { serverNow } from "../lock/current.ts";
import { LOCK_VERSION, type LockDocument, type LockedServer, readLock } from "../lock/document.ts";
import { approvalDrift } from "./approval-drift.ts";
import { compareObserved, completeBaseline, type Observed, observeServer } from "./observe.ts";

/** The approved state of a server, as stored. `alerted`: digest of the last reported differences. */
type Baseline = Observed & Readonly<NonNullable<Integrity["baseline"]>> & { readonly alerted?: string };

const key = (server: string) => `integrity.${server}`;
const baselineOf = async (app: App, server: string) =>
  (await app.store.documents.get(key(server))) as Baseline | undefined;
const keep = (app: Pick<App, "store">, server: string, baseline: Baseline | undefined) =>
  app.store.documents.set(key(server), baseline);

/** Timeout of the check of one server (ms). */
const LOOK_MS = 60_000;

/**
 * Compares a server with its approved state: its start, package and image, the files of its program, its instructions
 * and tools; and, if present, with the lock file.
 *
 * @throws Fault server_not_found
 */
export async function integrity(app: App, name: string, by: Actor): Promise<Integrity> {
  const server = findServer(app, name, by.caller);
  const now = await observeServer(app, server, AbortSignal.timeout(LOOK_MS));
  const before = await baselineOf(app, name);
  const changes = before ? compareObserved(before, now) : { differences: [], unverified: [] };
  const locked = await againstLock(app, server);
  const differences = [
    ...changes.differences.map((difference) => ({ against: "approval" as const, ...difference })),
    ...(await approvalDrift(app, name)),
    ...locked.differences,
  ];
  const unverified = [...new Set([...changes.unverified, ...locked.unverified])];
  return {
    server_name: name,
    status:
      differences.length > 0
        ? "changed"
        : !before && !locked.known
          ? "no_baseline"
          : unverified.length > 0
            ? "unverified"
            : "intact",
    checked_at: rfc3339(app.clock.now()),
    ...(before && { baseline: { taken_at: before.taken_at, taken_by: before.taken_by } }),
    differences,
    unverified,
  };
}

/** Records the current state of a server as approved. */
export async function takeBaseline(app: App, name: string, by: string): Promise<void> {
  const server = app.config.server(name);
  if (!server) return;
  const now = await observeServer(app, server, AbortSignal.timeout(LOOK_MS));
  await keep(app, name, { ...now, taken_at: rfc3339(app.clock.now()), taken_by: by });
}

/** Deletes the approved state of a server; the next check makes its state then the baseline. */
export const forgetBaseline = (app: Pick<App, "store">, server: string): Promise<void> => keep(app, server, undefined);

/**
 * Checks whether a server changed by itself, and reports each change once. At the first check the current state becomes
 * the baseline. A change of its configuration is intended and not reported.
 */
export async function watchOver(app: App, name: string, signal: AbortSignal): Promise<void> {
  const server = app.config.server(name);
  if (!server?.enabled || app.config.quarantined(server)) return;
  const before = await baselineOf(app, name);
  if (!before) return await takeFirstBaseline(app, server);
  const now = await observeServer(app, server, signal);
  if (canonicalJson(before.server.start) !== canonicalJson(now.server.start)) return;
  const { differences } = compareObserved(before, now);
  const full = completeBaseline(before, now);
  // The digest distinguishes a further change of the same file.
  const fingerprint =
    differences.length > 0 ? createHash("sha256").update(canonicalJson(now)).digest("hex") : undefined;
  const { alerted, ...rest } = before;
  if (fingerprint === alerted && canonicalJson(full) === canonicalJson(observedOf(before))) return;
  const next = { ...rest, ...full, ...(fingerprint !== undefined && { alerted: fingerprint }) };
  let isStored = false;
  await app.store.documents.change(key(name), (current) => {
    // A person may have approved the server meanwhile, or another replica may have reported the change.
    isStored = canonicalJson(current) === canonicalJson(before);
    return isStored ? next : undefined;
  });
  if (isStored && fingerprint !== undefined && fingerprint !== alerted) await alert(app, name, differences);
}

/** Records the current state of a server that has no baseline. */
async function takeFirstBaseline(app: App, server: ServerConfig): Promise<void> {
  const now = await observeServer(app, server, AbortSignal.timeout(LOOK_MS));
  const baseline = { ...now, taken_at: rfc3339(app.clock.now()), taken_by: "first seen" };
  await app.store.documents.change(key(server.name), (current) => (current === undefined ? baseline : undefined));
}

const observedOf = ({ server, files }: Baseline): Observed => ({ server, ...(files && { files }) });

async function alert(app: App, name: string, differences: readonly Difference[]): Promise<void> {
  const [{ at = "" } = {}] = differences;
  const alert_type = `${at.split(".")[0]}_changed`;
  const by: Actor = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "integrity" } };
  const quarantined = app.config.current().security.integrity_action === "quarantine";
  const details = differences.map(({ at, what }) => `${at}: ${what}`).join("; ");
  app.log.warn(`server "${name}" differs from its approved state: ${details}`);
  if (quarantined)
    await quarantineServer(app, name, by).catch((error) =>
      app.log.error(`server "${name}" could not be quarantined: ${reasonOf(error)}`),
    );
  const action = quarantined ? "quarantined" : "reported";
  recordActivity(app, by, {
    type: "security_scan",
    server_name: name,
    status: "error",
    error_message: details,
    metadata: { outcome: "integrity_alert", alert_type, action },
  });
  app.events.publish("security.integrity_alert", { server_name: name, alert_type, action });
}

interface AgainstLock {
  /** Whether the tool is in the lock file. */
  known: boolean;
  differences: Integrity["differences"];
  unverified: string[];
}

async function againstLock(app: App, server: ServerConfig): Promise<AgainstLock> {
  const path = resolve(dirname(app.config.path), app.config.current().lock.path);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return { known: false, differences: [], unverified: [] };
  try {
    const { servers } = readLock(text);
    const entry = Object.hasOwn(servers, server.name) ? servers[server.name] : undefined;
    if (!entry) return { known: false, differences: [], unverified: [`${path} does not name it`] };
    const only = (one: LockedServer): LockDocument => ({ lockfile: LOCK_VERSION, servers: { [server.name]: one } });
    const { drifts, unverified } = compare(only(entry), only(await serverNow(app, server)));
    return {
      known: true,
      differences: drifts.map(({ server: _, ...drift }) => ({ against: "lock", ...drift })),
      unverified: unverified.map(({ what }) => what),
    };
  } catch (error) {
    return { known: false, differences: [], unverified: [reasonOf(error)] };
  }
}
