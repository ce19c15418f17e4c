import type { App } from "../../app.ts";
import { resetApproval } from "../../catalog/approve-record.ts";
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
  const byName = new Map(servers.map((server) => [server.name, server]));
  const noticed = (row: KnownServer | undefined, name: string) =>
    row ? noticedAgain(row, byName.get(name)!) : firstNoticed(app, byName.get(name)!);
  const changed = [...byName.keys()].filter((name) => {
    const row = knownServers.get(name);
    return !row || !same(row, noticed(row, name));
  });
  const replaced = changed.filter((name) => {
    const row = knownServers.get(name);
    return row?.removedAt !== undefined && row.identity !== noticed(row, name).identity;
  });
  await Promise.all([
    // This is written before the rows with the new definitions, so that it is repeated after a crash in between.
    ...replaced.map((name) => distrust(app, name)),
    changed.length > 0 && knownServers.changeAll(changed, noticed),
  ]);
}

/**
 * Ensures that the first listing of these servers is not trusted, whatever their entries state. Call it before writing
 * an entry that no person wrote: of an import, a restored configuration, or a registry.
 *
 * @returns resolves when the records are durable
 */
export async function distrustServers(app: Parts, servers: readonly ServerConfig[]): Promise<void> {
  const byName = new Map(servers.map((server) => [server.name, server]));
  await app.store.knownServers.changeAll([...byName.keys()], (row, name) => {
    if (row?.baseline === "closed") return undefined;
    return { ...(row ?? firstNoticed(app, byName.get(name)!)), baseline: "closed" };
  });
}

/** Records that entries were removed from the configuration; their approvals are kept, within limits. */
export async function trackRemovedServers(app: Parts, names: readonly string[]): Promise<void> {
  const changes = await app.store.knownServers.changeAll([...new Set(names)], (row) =>
    row && row.removedAt === undefined ? { ...row, removedAt: app.clock.now() } : undefined,
  );
  if (changes.length > 0) await forgetRemoved(app);
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
  const tools = store.approvals.of(name).map(({ tool }) => tool);
  const items = store.itemApprovals.of(name).map(({ kind, name }) => ({ kind, name }));
  await Promise.all([
    store.approvals.changeAll(name, tools, (row) => row && resetApproval(row, clock.now())),
    store.itemApprovals.changeAll(name, items, (row) => row && resetApproval(row, clock.now())),
  ]);
}
