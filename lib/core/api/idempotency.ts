import { createHash } from "node:crypto";
import { part } from "../app.ts";
import { canonicalJson } from "../base/canonical.ts";
import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { seal, unseal } from "../base/seal.ts";
import type { Caller } from "../schema/caller.ts";
import type { SealingKeys } from "../secrets/sealing-keys.ts";
import type { AnswerStore } from "../store/store.ts";

/** A request that its client may repeat: the caller's key and the request itself. */
interface IdempotentRequest {
  readonly key: string;
  readonly caller: Caller;
  /** Route, path, query and body. */
  readonly request: unknown;
}

/** Sends the response again if a request is repeated with the same `Idempotency-Key`. */
interface Idempotency {
  /**
   * Runs a request once. A failure is not stored, because nothing was done: the request may be repeated with the same
   * key.
   *
   * @throws Fault idempotency_key_reused if the key was used with another request; the errors of `run`
   */
  once<T>(meant: IdempotentRequest, run: () => Promise<T>): Promise<{ value: T; isRepeated: boolean }>;
}

/** How long a response is kept. (ms) */
const KEPT_FOR_MS = 24 * 60 * 60_000;
/** Maximum number of responses kept; above it the oldest are deleted. */
const MAX_KEPT = 10_000;

interface IdempotencyOptions {
  readonly store: AnswerStore;
  readonly keys: SealingKeys;
  readonly clock: Clock;
}

/** Responses are kept in the store, sealed, so that a repetition after a restart is recognised. */
function createIdempotency({ store, keys, clock }: IdempotencyOptions): Idempotency {
  const running = new Map<string, { requestHash: string; value: Promise<unknown> }>();

  const load = async (id: string, requestHash: string): Promise<{ value: unknown } | undefined> => {
    const row = await store.get(id);
    if (!row || row.at < clock.now() - KEPT_FOR_MS) return undefined;
    if (row.requestHash !== requestHash) throw new Fault("idempotency_key_reused");
    const { bytes } = await keys.byId(row.keyId);
    return { value: JSON.parse(unseal(bytes, placeOf(id), row.sealed)) };
  };
  const keep = async (id: string, requestHash: string, value: unknown) => {
    const { id: keyId, bytes } = await keys.forSealing();
    const sealed = seal(bytes, placeOf(id), JSON.stringify(value));
    const at = clock.now();
    await store.put({ id, requestHash, keyId, sealed, at }, { before: at - KEPT_FOR_MS, max: MAX_KEPT });
  };

  return {
    async once<T>({ key, caller, request }: IdempotentRequest, run: () => Promise<T>) {
      const id = hashOf([caller.tier, caller.user?.id ?? caller.name, key]);
      const requestHash = hashOf(request);
      const other = running.get(id);
      if (other) {
        if (other.requestHash !== requestHash) throw new Fault("idempotency_key_reused");
        // The first request was the same, so its result has this type.
        return { value: (await other.value) as T, isRepeated: true };
      }
      const work = (async () => {
        const before = await load(id, requestHash);
        if (before) return { value: before.value as T, isRepeated: true };
        const value = await run();
        await keep(id, requestHash, value);
        return { value, isRepeated: false };
      })();
      running.set(id, { requestHash, value: work.then(({ value }) => value) });
      running.get(id)?.value.catch(() => undefined);
      try {
        return await work;
      } finally {
        running.delete(id);
      }
    },
  };
}

const placeOf = (id: string) => `proxy kept answer 1 ${id}`;
const hashOf = (value: unknown) => createHash("sha256").update(canonicalJson(value)).digest("hex");

/** The responses that can be sent again. */
export const idempotency = part<Idempotency>("idempotency", (app) =>
  createIdempotency({ store: app.store.answers, keys: app.secrets.sealingKeys, clock: app.clock }),
);
