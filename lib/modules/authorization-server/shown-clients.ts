import type { ClientMetadata } from "oidc-provider";
import { type App, part } from "../../core/app.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { shortLivedValues } from "../../core/extension/short-lived-values.ts";

/** Maximum number of clients that wait for an answer; the oldest is dropped. */
const MAX_SHOWN = 1000;

/**
 * The metadata of the clients that wait for a person's answer, by the id of the consent page, as it was when they asked:
 * a document can change, or be out of reach, until the person answers. Whoever takes it gives the only answer.
 */
interface ShownClients {
  put(uid: string, metadata: ClientMetadata | JsonObject, lifetimeMs: number): Promise<void>;
  get(uid: string): Promise<JsonObject | undefined>;
  take(uid: string): Promise<JsonObject | undefined>;
}

export const shownClients = part<ShownClients>("shownClients", (app: App) => {
  const values = app.part(shortLivedValues)({ name: "oauth shown client", max: MAX_SHOWN });
  const object = (value: unknown) => (isJsonObject(value) ? value : undefined);
  return {
    async put(uid, metadata, lifetimeMs) {
      const { client_secret: _, ...shown } = metadata;
      await values.put(uid, shown, { lifetimeMs });
    },
    get: async (uid) => object(await values.get(uid)),
    take: async (uid) => object(await values.take(uid)),
  };
});
