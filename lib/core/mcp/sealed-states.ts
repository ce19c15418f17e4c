import { createHmac } from "node:crypto";
import { part } from "../app.ts";
import type { Clock } from "../base/clock.ts";
import { seal, unseal } from "../base/seal.ts";
import { createStateKeys, type StateKeys } from "../secrets/state-keys.ts";

/**
 * Texts that the proxy gives to a client and gets back, such as the state of a call, a task id or a cursor. The client
 * can neither read, change nor forge them, and each is valid in one place only. They stay valid after a restart.
 */
export interface SealedStates {
  /**
   * Seals a text for a limited time.
   *
   * @param place names the owner and the purpose; `open` succeeds only with the same place
   * @returns base64url
   */
  seal(place: string, text: string, lifetimeMs: number): Promise<string>;
  /**
   * Seals a text so that the same text and place give the same result for a month; it stays valid for at least 60 days.
   */
  sealId(place: string, text: string): Promise<string>;
  /** Opens a sealed text. @returns undefined if the text was not sealed here or for this place, or is too old */
  open(place: string, sealed: string): Promise<string | undefined>;
}

/** Length of the key's id at the beginning of a sealed text. */
const KEY_ID = 8;
/** Longer texts are not tried. (characters) */
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
      // The nonce is derived from everything that is sealed, so no two texts have the same one.
      const nonce = createHmac("sha256", bytes)
        .update(JSON.stringify([place, content]))
        .digest()
        .subarray(0, 12);
      return id + toUrl(seal(bytes, placeText(place), content, nonce));
    },
    async open(place, sealed) {
      if (sealed.length > MAX_SEALED || !BASE64URL.test(sealed)) return undefined;
      const body = sealed.slice(KEY_ID);
      // The last character of base64 may contain unused bits. Only one spelling of a text is accepted.
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

/** The states of this App. Their keys are in the database, encrypted, so that states outlive a restart. */
export const sealedStates = part<SealedStates>("sealedStates", (app) => {
  const { store, secrets, clock, log } = app;
  const { documents, meta } = store;
  const storage = {
    // Earlier versions stored the keys in `meta`.
    get: async (name: string) => (await documents.get(name)) ?? meta.get(name),
    change: (name: string, edit: (current: unknown) => unknown) =>
      documents.change(name, (current) => edit(current ?? meta.get(name))),
  };
  return createSealedStates(createStateKeys({ storage, master: secrets.sealingKeys, clock, log }), clock);
});
