import { type App, part } from "../../core/app.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";

/** Clients that registered themselves (RFC 7591) and of which nobody has allowed access yet. */
interface RegisteredClients {
  find(id: string): Promise<JsonObject | undefined>;
  add(id: string, metadata: JsonObject): Promise<void>;
}

/** A registration that nobody used in this time is forgotten; clients then register again. (ms) */
const LIFETIME_MS = 24 * 3_600_000;
/** Maximum number of registrations; the oldest is dropped. The metadata of clients with access is kept with their tokens. */
const MAX_CLIENTS = 100;

const KEY = "oauth clients";

interface Registration {
  readonly id: string;
  readonly at: number;
  readonly metadata: JsonObject;
}

/** The registrations, in one document of the store. */
export const registeredClients = part<RegisteredClients>("registeredClients", ({ store, clock }: App) => {
  const valid = (stored: unknown): Registration[] =>
    (Array.isArray(stored) ? stored.filter(isRegistration) : []).filter(({ at }) => clock.now() - at < LIFETIME_MS);
  return {
    find: async (id) => valid(await store.documents.get(KEY)).find((one) => one.id === id)?.metadata,
    async add(id, metadata) {
      await store.documents.change(KEY, (stored) => {
        const others = valid(stored).filter((one) => one.id !== id);
        return [...others, { id, at: clock.now(), metadata }].slice(-MAX_CLIENTS);
      });
    },
  };
});

function isRegistration(value: unknown): value is Registration {
  return (
    isJsonObject(value) && typeof value.id === "string" && typeof value.at === "number" && isJsonObject(value.metadata)
  );
}
