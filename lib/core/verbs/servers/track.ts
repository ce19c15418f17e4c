import type { App } from "../../app.ts";
import { resetApproval } from "../../catalog/approval.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { KnownServer } from "../../schema/known-server.ts";
import { forgetRemoved } from "./forget.ts";
import { identityOf } from "./identity.ts";

type Parts = Pick<App, "store" | "clock" | "log" | "part">;

const INHERITED = "known_servers.inherited";

/**
 * Updates the records of known servers at the start, before any connection. The servers of a data directory of an
 * earlier release count as known, and so do all servers while the records of earlier runs are missing.
 *
 * @throws Fault disk_failed; then no server may be listed
 */
export async function trackServersAtStart(app: Parts, configured: readonly ServerConfig[]): Promise<void> {
  const { knownServers, meta } = app.store;
  const inherited = meta.get(INHERITED) === true;
  const names = new Set(configured.map(({ name }) => name));
  const removed = knownServers.all().filter(({ name, removedAt }) => removedAt === undefined && !names.has(name));
  if (inherited) await distrustServers(app, configured);
  await Promise.all([
    trackServers(app, configured),
    trackRemovedServers(
      app,
      removed.map(({ name }) => name),
    ),
  ]);
  if (inherited) await meta.set(INHERITED, undefined);
}

/**
 * Records the servers in the configuration. Call it before any of them is connected.
 *
 * The first listing of a server with an unknown name is trusted (open baseline) if its entry states `quarantined:
 * false`. A server that is added again with the same launch definition keeps its approvals, blocks and pins. With
 * another one it keeps only its blocks, and its tools wait.
 *
 * @returns resolves when the records are durable
 */
export async function trackServers(app: Parts, servers: readonly ServerConfig[]): Promise<void> {
  const { knownServers } = app.store;
  const writes: Promise<void>[] = [];
  const rows = servers.flatMap((server) => {
    const row = knownServers.get(server.name);
    const next = row ? noticedAgain(row, server) : firstNoticed(app, server);
    // This is written before the row with the new definition, so that it is repeated after a crash in between.
    if (row?.removedAt !== undefined && row.identity !== next.identity) writes.push(distrust(app, server.name));
    return row && same(row, next) ? [] : [next];
  });
  if (rows.length > 0) writes.push(knownServers.put(rows));
  await Promise.all(writes);
}

/**
 * Ensures that the first listing of these servers is not trusted, whatever their entries state. Call it before writing
 * an entry that no person wrote: of an import, a restored configuration, or a registry.
 *
 * @returns resolves when the records are durable
 */
export async function distrustServers(app: Parts, servers: readonly ServerConfig[]): Promise<void> {
  const { knownServers } = app.store;
  const rows = servers.flatMap((server): KnownServer[] => {
    const row = knownServers.get(server.name);
    if (row) return row.baseline === "open" ? [{ ...row, baseline: "closed" }] : [];
    return [{ ...firstNoticed(app, server), baseline: "closed" }];
  });
  if (rows.length > 0) await knownServers.put(rows);
}

/** Records that entries were removed from the configuration; their approvals are kept, within limits. */
export async function trackRemovedServers(app: Parts, names: readonly string[]): Promise<void> {
  const { knownServers } = app.store;
  const rows = names.flatMap((name) => {
    const row = knownServers.get(name);
    return row && row.removedAt === undefined ? [{ ...row, removedAt: app.clock.now() }] : [];
  });
  if (rows.length === 0) return;
  await knownServers.put(rows);
  await forgetRemoved(app);
}

function firstNoticed({ store, clock }: Parts, server: ServerConfig): KnownServer {
  const trusted =
    server.quarantined === false && store.evidence.state === "complete" && store.approvals.count(server.name) === 0;
  return {
    name: server.name,
    identity: identityOf(server),
    baseline: trusted ? "open" : "closed",
    noticedAt: clock.now(),
  };
}

/**
 * Returns the record of a server that is configured again. A closed baseline stays closed. An open one closes if the
 * entry no longer states `quarantined: false`, or was removed in between.
 */
function noticedAgain({ removedAt, ...row }: KnownServer, server: ServerConfig): KnownServer {
  const keeps = row.baseline === "open" && server.quarantined === false && removedAt === undefined;
  return { ...row, identity: identityOf(server), baseline: keeps ? "open" : "closed" };
}

function same(a: KnownServer, b: KnownServer): boolean {
  return a.identity === b.identity && a.baseline === b.baseline && a.removedAt === b.removedAt;
}

/** Resets the approvals of a server whose launch definition changed. */
async function distrust({ store, clock }: Parts, name: string): Promise<void> {
  const tools = store.approvals.of(name).map((row) => resetApproval(row, clock.now()));
  const items = store.itemApprovals.of(name).map((row) => resetApproval(row, clock.now()));
  await Promise.all([
    tools.length > 0 && store.approvals.put(tools),
    items.length > 0 && store.itemApprovals.put(items),
  ]);
}
