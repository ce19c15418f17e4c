import type { Row } from "../../sqlite/types.ts";
import type { Logger } from "../log/logger.ts";
import type { TokenRow } from "../schema/token.ts";
import type { TokenGrant } from "../schema/token-grant.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { gatherWrites } from "./gather-writes.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";
import { planChanges } from "./plan-changes.ts";
import { renewsOnly } from "./renews-only.ts";
import { secretHashes } from "./secret-hashes.ts";
import type { TokenStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Minimum time between two writes of one token's last use (ms); the exact time is in memory. */
const LAST_USE_MS = 60_000;

interface Kept {
  readonly byName: Map<string, TokenRow>;
  readonly byHash: Map<string, TokenRow>;
}

export function createTokenStore(connection: DatabaseConnection, queue: WriteQueue, log: Logger): TokenStore {
  let kept: Kept | undefined;
  const lastUse = new Map<string, { at: number; writtenAt: number }>();
  const listeners = new Set<(name: string) => void>();
  queue.onRefused(() => {
    kept = undefined;
  });
  const uses = gatherWrites<{ name: string; at: number }>(queue, (list) => {
    for (const { name, at } of list) connection.prepare(USED).run(at, name);
  });

  const known = (): Kept => {
    if (kept) return kept;
    queue.flush();
    kept = { byName: new Map(), byHash: new Map() };
    for (const row of connection.read(() => connection.prepare("select * from tokens order by name").all())) {
      keep(kept, fromRow(row));
      const at = row.last_used_at;
      if (typeof at === "number" && !lastUse.has(row.name as string))
        lastUse.set(row.name as string, { at, writtenAt: at });
    }
    return kept;
  };
  const forget = (name: string) => {
    const old = kept?.byName.get(name);
    if (old) for (const hash of secretHashes(old)) kept?.byHash.delete(hash);
    kept?.byName.delete(name);
  };
  const tell = (name: string) => {
    for (const listener of listeners) listener(name);
  };

  return {
    all: () => [...known().byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    get: (name) => known().byName.get(name),
    byHash: (hash) => known().byHash.get(hash),
    async change(name, edit) {
      const get = () => known().byName.get(name);
      const [planned] = planChanges([name], get, edit);
      if (!planned) return { before: get(), after: get() };
      const { before, after } = planned;
      const inputs = after && { ...toInputs(after), last_used_at: lastUse.get(name)?.at ?? null };
      uses.cut();
      const durable = queue.put("now", () => {
        if (inputs) connection.prepare(PUT).run(inputs);
        else connection.prepare("delete from tokens where name = ?").run(name);
      });
      forget(name);
      if (!after) lastUse.delete(name);
      else if (kept) keep(kept, after);
      if (before && !(after && renewsOnly(before, after))) tell(name);
      await durable;
      return { before, after };
    },
    used({ name }, at) {
      const use = lastUse.get(name);
      if (use && at - use.writtenAt < LAST_USE_MS) use.at = Math.max(use.at, at);
      else {
        lastUse.set(name, { at, writtenAt: at });
        log.catch(
          "recording the use of an agent token",
          uses.put(name, () => ({ name, at })),
        );
      }
    },
    lastUsed(name) {
      known();
      return lastUse.get(name)?.at;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const COLUMNS = [
  "name",
  "owner",
  "hash",
  "prefix",
  "servers",
  "permissions",
  "profile",
  "created_at",
  "expires_at",
  "last_used_at",
  "revoked_at",
  "client_grant",
];
const PUT = `insert or replace into tokens (${COLUMNS.join(", ")}) values (${COLUMNS.map((c) => `:${c}`).join(", ")})`;
const USED = "update tokens set last_used_at = ? where name = ?";

function keep({ byName, byHash }: Kept, token: TokenRow) {
  byName.set(token.name, token);
  for (const hash of secretHashes(token)) byHash.set(hash, token);
}

function toInputs({ name, owner, hash, prefix, servers, permissions, profile, clientGrant, ...times }: TokenRow) {
  return {
    name,
    owner: owner ?? null,
    hash,
    prefix,
    servers: toJsonColumn(servers),
    permissions: toJsonColumn(permissions),
    profile: profile ?? null,
    created_at: times.createdAt,
    expires_at: times.expiresAt,
    revoked_at: times.revokedAt ?? null,
    client_grant: clientGrant === undefined ? null : toJsonColumn(clientGrant),
  };
}

/** Converts a row that `toInputs` wrote. If its rights are damaged, the token has none. */
function fromRow(row: Row): TokenRow {
  const grant = row.client_grant === null ? undefined : readableJsonColumn<TokenGrant>(row.client_grant);
  const isDamaged = row.client_grant !== null && grant === undefined;
  return withoutNulls({
    name: row.name,
    owner: row.owner,
    hash: row.hash,
    prefix: row.prefix,
    servers: readableJsonColumn<string[]>(row.servers) ?? [],
    permissions: isDamaged ? [] : (readableJsonColumn<string[]>(row.permissions) ?? []),
    profile: row.profile,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    clientGrant: grant ?? null,
  }) as unknown as TokenRow;
}
