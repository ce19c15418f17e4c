import type { App } from "../../app.ts";
import { resetApproval } from "../../catalog/approval.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { KnownServer } from "../../schema/known-server.ts";
import { forgetRemoved } from "./forget.ts";
import { identityOf } from "./identity.ts";

type Parts = Pick<App, "store" | "clock" | "log" | "part">;

const INHERITED = "known_servers.inherited";

/**
 * At the start, before any server is connected to: brings what is known of servers in step with the configuration.
 * Servers that an earlier release has worked with count as known, and so do all while earlier evidence is missing.
 *
 * @throws Fault disk_failed; nothing may be listed then
 */
export async function trackServersAtStart(app: Parts, configured: readonly ServerConfig[]): Promise<void> {
  const { knownServers, meta } = app.store;
  const inherited = meta.get(INHERITED) === true;
  const names = new Set(configured.map(({ name }) => name));
  const gone = knownServers.all().filter(({ name, removedAt }) => removedAt === undefined && !names.has(name));
  if (inherited) await distrustServers(app, configured);
  await Promise.all([
    trackServers(app, configured),
    trackRemovedServers(
      app,
      gone.map(({ name }) => name),
    ),
  ]);
  if (inherited) await meta.set(INHERITED, undefined);
}

/**
 * Notes entries that are in the configuration now. To be called before any of them is connected to.
 *
 * A name that nothing is known of yet gets an open baseline if its entry states `quarantined: false`. A server that
 * returns with the launch definition it had keeps its approvals, blocks and pins; with another one it keeps its blocks,
 * and its tools wait.
 *
 * @returns resolves when that is durable
 */
export async function trackServers(app: Parts, servers: readonly ServerConfig[]): Promise<void> {
  const { knownServers } = app.store;
  const writes: Promise<void>[] = [];
  const rows = servers.flatMap((server) => {
    const row = knownServers.get(server.name);
    const next = row ? noticedAgain(row, server) : firstNoticed(app, server);
    // Written before the row with the new definition, so that after a crash in between it is done again.
    if (row?.removedAt !== undefined && row.identity !== next.identity) writes.push(distrust(app, server.name));
    return row && same(row, next) ? [] : [next];
  });
  if (rows.length > 0) writes.push(knownServers.put(rows));
  await Promise.all(writes);
}

/**
 * Makes sure that the first listing of these servers is not trusted, whatever their entries state. To be called before
 * an entry is written that nobody has made by hand: an import, a restored configuration, a registry's entry.
 *
 * @returns resolves when that is durable
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

/** Records that entries left the configuration; their approvals are kept, within limits. */
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

/** A baseline once closed stays closed; it also ends when the entry no longer states `quarantined: false`, or was away. */
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
