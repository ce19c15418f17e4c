import type { Logger } from "../../../core/log/logger.ts";
import type { TokenRow } from "../../../core/schema/token.ts";
import { renewsOnly } from "../../../core/store/renews-only.ts";
import { secretHashes } from "../../../core/store/secret-hashes.ts";
import type { TokenStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import { createViewRows } from "../view-rows.ts";
import type { OpenTable } from "./open-table.ts";

export const tokenTable = recordTable<TokenRow>({
  topic: "tokens",
  table: "agent_token",
  key: ["name"],
  members: {
    name: "text",
    owner: "text",
    hash: "text",
    prefix: "text",
    servers: "json",
    permissions: "json",
    profile: "text",
    createdAt: "bigint",
    expiresAt: "bigint",
    revokedAt: "bigint",
    clientGrant: "json",
  },
});

/** The last use of a token, in a table of its own, because a use must not be a change of the token. */
interface TokenUse {
  readonly name: string;
  readonly at: number;
}

export const tokenUseTable = recordTable<TokenUse>({
  topic: "token_uses",
  table: "token_use",
  key: ["name"],
  members: { name: "text", at: "bigint" },
});

/** Minimum time between two writes of one token's last use (ms); the exact time is in memory. */
const USE_INTERVAL_MS = 60_000;

export function createSharedTokens(
  { view, writer }: OpenTable<TokenRow>,
  uses: OpenTable<TokenUse>,
  log: Logger,
): TokenStore {
  const listeners = new Set<(name: string) => void>();
  const byHash = new Map<string, string>();
  const lastUse = new Map<string, { at: number; writtenAt: number }>();
  const rows = createViewRows(view, (changes) => {
    for (const { before } of changes) if (before) for (const hash of secretHashes(before)) byHash.delete(hash);
    for (const { after } of changes) if (after) for (const hash of secretHashes(after)) byHash.set(hash, after.name);
    for (const { before, after } of changes) {
      if (!after) lastUse.delete(before!.name);
      if (before && !(after && renewsOnly(before, after))) for (const listener of listeners) listener(before.name);
    }
  });
  const lastUsed = (name: string) => {
    const at = Math.max(lastUse.get(name)?.at ?? 0, uses.view.get(name)?.at ?? 0);
    return at > 0 ? at : undefined;
  };
  const writeUse = (name: string, at: number) =>
    uses.writer.change([[name]], (row) => (row && row.at >= at ? undefined : { name, at }));

  return {
    all: () => rows.all().sort((a, b) => (a.name < b.name ? -1 : 1)),
    get: (name) => rows.get(name),
    byHash: (hash) => rows.get(byHash.get(hash) ?? ""),
    async change(name, edit) {
      const use = lastUsed(name);
      const [change] = await writer.change([[name]], (row) => edit(row, name));
      if (!change) return { before: rows.get(name), after: rows.get(name) };
      // The token is written already, so a failure here must not look like one of the change.
      const kept = change.after ? use !== undefined && writeUse(name, use) : uses.writer.remove([[name]]);
      await Promise.allSettled([kept]);
      return change;
    },
    used({ name }, at) {
      const use = lastUse.get(name);
      if (use && at - use.writtenAt < USE_INTERVAL_MS) use.at = Math.max(use.at, at);
      else {
        lastUse.set(name, { at, writtenAt: at });
        log.catch("recording the use of an agent token", writeUse(name, at));
      }
    },
    lastUsed,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
