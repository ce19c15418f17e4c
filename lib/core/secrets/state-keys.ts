import { randomBytes } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import { isJsonObject, sameJson } from "../base/json-object.ts";
import { seal, unseal } from "../base/seal.ts";
import type { Logger } from "../log/logger.ts";
import type { SealingKeys } from "./sealing-keys.ts";

/** A key that seals states. A state is data that the proxy gives to a client and gets back with its next request. */
export interface StateKey {
  /** 8 characters of base64url. */
  readonly id: string;
  readonly bytes: Buffer;
  readonly madeAt: number;
}

/** The keys that seal states for clients. They are replaced regularly. No key is read before its first use. */
export interface StateKeys {
  /** Returns the newest key; makes a new one if it is too old. */
  current(): Promise<StateKey>;
  /** Returns the key with this id. @returns undefined if it is unknown or no longer valid */
  byId(id: string): Promise<StateKey | undefined>;
}

/** Where the keys are stored. Replicas of a cluster use the same place. */
interface KeyRingStorage {
  /** Returns what is stored at this moment. */
  get(name: string): Promise<unknown>;
  /** Changes a value in one step with reading it. @returns the value afterwards */
  change(name: string, edit: (current: unknown) => unknown): Promise<unknown>;
}

interface StateKeysOptions {
  readonly storage: KeyRingStorage;
  /** The keys that seal the stored keys. */
  readonly master: SealingKeys;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
/** A key of this age seals nothing new. */
const SEALS_FOR_MS = 30 * DAY_MS;
/** A key of this age opens nothing. A state that was sealed on a key's last day is therefore valid for 60 days. */
const OPENS_FOR_MS = 90 * DAY_MS;

/** Maximum number of readings of the database for unknown keys, which any client can name, in a second. */
const MAX_LOOKUPS = 10;

const RING = "state_keys";
const PLACE = "proxy state keys 1";

/**
 * Keeps the keys in the database, sealed with the key that seals credentials. If they cannot be read or written, new
 * keys are made in memory only. States sealed earlier are then rejected, from which every client can recover.
 */
export function createStateKeys({ storage, master, clock, log }: StateKeysOptions): StateKeys {
  let ring: Promise<readonly StateKey[]> | undefined;
  let renewing: Promise<readonly StateKey[]> | undefined;
  const lookups = { since: clock.now(), count: 0 };
  /** The stored value that was read last. */
  let seen: unknown;

  const parse = async (kept: unknown): Promise<readonly StateKey[]> => {
    seen = kept;
    if (!isJsonObject(kept) || typeof kept.key !== "string" || typeof kept.sealed !== "string") return [];
    return parseRing(unseal((await master.byId(kept.key)).bytes, PLACE, kept.sealed));
  };
  const read = async (): Promise<readonly StateKey[]> => {
    try {
      return await parse(await storage.get(RING));
    } catch (error) {
      log.warn(`the keys of states handed to clients cannot be read; such states are refused: ${reasonOf(error)}`);
      return [];
    }
  };
  /** Stores keys, unless another replica was first. @returns the keys that count */
  const write = async (keys: readonly StateKey[]): Promise<readonly StateKey[]> => {
    try {
      const { id, bytes } = await master.forSealing();
      const value = { key: id, sealed: seal(bytes, PLACE, ringText(keys)) };
      const stored = await storage.change(RING, (current) => (sameJson(current, seen) ? value : undefined));
      seen = value;
      if (sameJson(stored, value)) return keys;
      const others = await parse(stored);
      return others.length > 0 ? others : keys;
    } catch (error) {
      log.warn(`the keys of states handed to clients cannot be stored; a restart ends them: ${reasonOf(error)}`);
      return keys;
    }
  };
  const renew = async (keys: readonly StateKey[]): Promise<readonly StateKey[]> => {
    const now = clock.now();
    const made = { id: randomBytes(6).toString("base64url"), bytes: randomBytes(32), madeAt: now };
    return await write([made, ...keys.filter((key) => ageOf(key, now) < OPENS_FOR_MS)]);
  };
  /** Reads the keys again, because another replica may have changed them. Those that are known stay if this fails. */
  const readAgain = async (known: readonly StateKey[]): Promise<readonly StateKey[]> => {
    try {
      const kept = await storage.get(RING);
      return sameJson(kept, seen) ? known : await parse(kept);
    } catch {
      return known;
    }
  };
  const mayLookUp = () => {
    const now = clock.now();
    if (Math.abs(now - lookups.since) >= 1000) Object.assign(lookups, { since: now, count: 0 });
    return ++lookups.count <= MAX_LOOKUPS;
  };
  const isDue = ([newest]: readonly StateKey[]) => !newest || ageOf(newest, clock.now()) >= SEALS_FOR_MS;

  return {
    async current() {
      ring ??= read();
      if (isDue(await ring)) {
        renewing ??= ring.then(renew).finally(() => {
          renewing = undefined;
        });
        ring = renewing;
      }
      return (await ring)[0]!;
    },
    async byId(id) {
      ring ??= read();
      const now = clock.now();
      const find = (keys: readonly StateKey[]) => keys.find((key) => key.id === id && ageOf(key, now) < OPENS_FOR_MS);
      const found = find(await ring);
      if (found || renewing) return found;
      // Another replica may have made the key a moment ago.
      if (mayLookUp()) ring = ring.then(readAgain);
      return find(await ring);
    },
  };
}

/** Returns the age of a key. A key from the future was made while the clock was wrong; it ages nevertheless. */
const ageOf = ({ madeAt }: StateKey, now: number) => Math.abs(now - madeAt);

const ringText = (keys: readonly StateKey[]) =>
  JSON.stringify(keys.map(({ id, bytes, madeAt }) => [id, bytes.toString("base64"), madeAt]));

/** Parses text that only `ringText` writes; the seal guarantees that it is unchanged. */
const parseRing = (text: string) =>
  (JSON.parse(text) as [string, string, number][]).map(([id, bytes, madeAt]) => ({
    id,
    bytes: Buffer.from(bytes, "base64"),
    madeAt,
  }));
