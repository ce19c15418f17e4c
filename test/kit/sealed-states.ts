import type { Clock } from "#lib/core/base/clock.ts";
import { createSealedStates } from "#lib/core/mcp/sealed-states.ts";
import type { SealingKeys } from "#lib/core/secrets/sealing-keys.ts";
import { createStateKeys } from "#lib/core/secrets/state-keys.ts";
import { handClock } from "./clock.ts";
import { memoryLog } from "./upstream.ts";

const MASTER = { id: "master", bytes: Buffer.alloc(32, 1) };
export const masterKeys: SealingKeys = { forSealing: async () => MASTER, byId: async () => MASTER };

/** An in-memory replacement for the `meta` table of the database. */
export function memoryMeta(entries = new Map<string, unknown>()) {
  return {
    entries,
    get: async (key: string) => entries.get(key),
    set: async (k: string, v: unknown) => void entries.set(k, v),
    async change(k: string, edit: (current: unknown) => unknown) {
      const value = edit(entries.get(k));
      if (value !== undefined) entries.set(k, value);
      return entries.get(k);
    },
  };
}

/** The states of one run of the proxy. */
export function testStates({
  storage = memoryMeta() as Pick<ReturnType<typeof memoryMeta>, "get" | "change">,
  master = masterKeys,
  clock = handClock() as Pick<Clock, "now">,
  log = memoryLog().log,
} = {}) {
  return createSealedStates(createStateKeys({ storage, master, clock, log }), clock);
}
