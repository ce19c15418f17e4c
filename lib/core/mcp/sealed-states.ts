import { createHmac } from "node:crypto";
import { part } from "../app.ts";
import type { Clock } from "../base/clock.ts";
import { seal, unseal } from "../base/seal.ts";
import { sealingKeys } from "../extension/sealing-keys.ts";
import { createStateKeys, type StateKeys } from "../secrets/state-keys.ts";

/**
 * Texts that the proxy hands to a client and takes back, such as the state of a call, a task id or a cursor. The client
 * can neither read, change nor make one, and each is good in one place alone. They outlive the process.
 */
export interface SealedStates {
  /**
   * Seals a text for a limited time.
   *
   * @param place whose it is and what for; it opens nowhere else
   * @returns base64url
   */
  seal(place: string, text: string, lifetimeMs: number): Promise<string>;
  /** Seals a text so that the same text in the same place gives the same result for a month; good for at least 60 days. */
  sealId(place: string, text: string): Promise<string>;
  /** @returns undefined for what was not sealed here, was sealed for another place, or is too old */
  open(place: string, sealed: string): Promise<string | undefined>;
}

/** Characters of a key's id in front of what it sealed. */
const KEY_ID = 8;
/** Longest text that is tried. (characters) */
const MAX_SEALED = 1024 * 1024;
const BASE64URL = /^[\w-]+$/;

export function createSealedStates(keys: StateKeys, clock: Pick<Clock, "now">): SealedStates {
  return {
    async seal(place, text, lifetimeMs) {
      const { id, bytes } = await keys.current();
      return id + toUrl(seal(bytes, placeText(place), JSON.stringify([text, clock.now() + lifetimeMs])));
    },
    async sealId(place, text) {
      const { id, bytes } = await keys.current();
      const content = JSON.stringify([text]);
      // Made of all that is sealed, so a nonce never serves two texts.
      const nonce = createHmac("sha256", bytes)
        .update(JSON.stringify([place, content]))
        .digest()
        .subarray(0, 12);
      return id + toUrl(seal(bytes, placeText(place), content, nonce));
    },
    async open(place, sealed) {
      if (sealed.length > MAX_SEALED || !BASE64URL.test(sealed)) return undefined;
      const body = sealed.slice(KEY_ID);
      // The last character of base64 can have bits that mean nothing: only one spelling of a text is valid.
      if (Buffer.from(body, "base64url").toString("base64url") !== body) return undefined;
      const key = await keys.byId(sealed.slice(0, KEY_ID));
      if (!key) return undefined;
      try {
        const [text, until] = JSON.parse(unseal(key.bytes, placeText(place), body)) as [string, number?];
        return until === undefined || clock.now() <= until ? text : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

const placeText = (place: string) => `proxy client state 1\0${place}`;
const toUrl = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

export const sealedStates = part<SealedStates>("sealedStates", (app) => {
  const { store, clock, log } = app;
  const keys = createStateKeys({ storage: store.meta, master: app.part(sealingKeys), clock, log });
  return createSealedStates(keys, clock);
});
