import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import * as v from "valibot";
import { isJsonObject, sameJson } from "../../core/base/json-object.ts";
import type { SealingKey, SealingKeys } from "../../core/secrets/sealing-keys.ts";
import type { DocumentStore } from "../../core/store/store.ts";
import { Credentials } from "./credentials.ts";

/** The owner and server of a sign-in. The owner of the shared sign-in is the empty text. */
export interface Place {
  readonly owner: string;
  readonly server: string;
}

/** Credentials by owner and server, sealed at rest; every write is durable when it resolves. */
export interface Records {
  /** @throws Error if the record cannot be decrypted or does not match its schema */
  get(place: Place): Promise<Credentials | undefined>;
  put(place: Place, credentials: Credentials | undefined): Promise<void>;
  /** Returns where credentials are stored: those of one owner, or all. */
  places(owner?: string): Promise<Place[]>;
  /** Present if several replicas share the records. */
  readonly shared?: {
    /**
     * Changes credentials in one step with reading them. The edit runs again if another replica was first.
     *
     * @throws as `get`
     */
    change(place: Place, edit: (now: Credentials) => Credentials): Promise<Credentials>;
    /** Runs work while no other replica does so for the same place. */
    exclusively<T>(place: Place, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
    /** Calls `listener` when credentials were changed. @returns a function that unsubscribes */
    onChange(listener: (isOf: (place: Place) => boolean) => void): () => void;
    /** Calls `listener` when the sign-in of a state began or ended. @returns a function that unsubscribes */
    onFlowChange(listener: (isOf: (state: string) => boolean) => void): () => void;
  };
  /** The sign-in to which the response with this state belongs. Stored on disk for the duration of the sign-in. */
  flow(state: string): Promise<Place | undefined>;
  putFlow(state: string, place: Place | undefined): Promise<void>;
}

const DAMAGED = "its stored sign-in is damaged; sign in again";

/** Each attempt fails only because another replica's change was stored meanwhile. */
const MAX_ATTEMPTS = 50;

const CIPHER = "aes-256-gcm";

/** Creates the records among the store's documents, under `credentials/` and `sign-in/`. */
export function createRecords(documents: DocumentStore, shared: SealingKeys, users: SealingKeys = shared): Records {
  // The sign-ins of single users are sealed with the key that the operator configured for them.
  const of = ({ owner }: Place) => (owner === "" ? shared : users);
  const replicas = documents.shared;
  const open = async (place: Place, stored: unknown): Promise<Credentials | undefined> => {
    if (!isJsonObject(stored) || typeof stored.key !== "string" || typeof stored.sealed !== "string") return undefined;
    const text = unseal(await of(place).byId(stored.key), place, stored.sealed);
    const { success, output } = v.safeParse(Credentials, JSON.parse(text));
    if (!success) throw new Error(DAMAGED);
    return output;
  };
  const close = async (place: Place, credentials: Credentials) => {
    const key = await of(place).forSealing();
    return { key: key.id, sealed: seal(key, place, JSON.stringify(credentials)) };
  };
  return {
    ...(replicas && {
      shared: {
        async change(place, edit) {
          for (let attempt = 1; ; attempt++) {
            const before = await documents.get(nameOf(place));
            const next = edit((await open(place, before)) ?? {});
            const stored = await close(place, next);
            // Encrypting waits, so it cannot be a part of the change.
            const after = await documents.change(nameOf(place), (now) => (sameJson(now, before) ? stored : undefined));
            if (sameJson(after, stored)) return next;
            if (attempt === MAX_ATTEMPTS) throw new Error("other replicas change this sign-in all the time");
          }
        },
        exclusively: (place, work, signal) => replicas.exclusively(nameOf(place), work, signal),
        onChange: (listener) => replicas.onChange((key) => listener((place) => nameOf(place) === key)),
        onFlowChange: (listener) => replicas.onChange((key) => listener((state) => flowName(state) === key)),
      },
    }),
    get: async (place) => await open(place, await documents.get(nameOf(place))),
    put: async (place, credentials) =>
      await documents.set(nameOf(place), credentials && (await close(place, credentials))),
    async places(owner) {
      const prefix = owner === undefined ? PREFIX : `${PREFIX}[${JSON.stringify(owner)},`;
      return (await documents.keys(prefix)).flatMap((key) => placeOf(key) ?? []);
    },
    async flow(state) {
      const stored = await documents.get(flowName(state));
      if (!isJsonObject(stored) || typeof stored.owner !== "string" || typeof stored.server !== "string")
        return undefined;
      return { owner: stored.owner, server: stored.server };
    },
    putFlow: (state, place) => documents.set(flowName(state), place && { owner: place.owner, server: place.server }),
  };
}

const PREFIX = "credentials/";
const nameOf = ({ owner, server }: Place) => PREFIX + JSON.stringify([owner, server]);

function placeOf(name: string): Place | undefined {
  try {
    const [owner, server] = JSON.parse(name.slice(PREFIX.length)) as unknown[];
    return typeof owner === "string" && typeof server === "string" ? { owner, server } : undefined;
  } catch {
    return undefined;
  }
}

/** Only a hash of the state is stored, because the state works like a password while its sign-in lasts. */
const flowName = (state: string) => `sign-in/${createHash("sha256").update(state).digest("hex")}`;

/** The associated data binds a record to its place, so that records cannot be exchanged. */
const bound = (place: Place) => Buffer.from(`proxy credentials 1\0${nameOf(place)}`);

function seal({ bytes }: SealingKey, place: Place, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(bound(place));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64");
}

function unseal({ bytes }: SealingKey, place: Place, sealed: string): string {
  const all = Buffer.from(sealed, "base64");
  try {
    const decipher = createDecipheriv(CIPHER, bytes, all.subarray(0, 12)).setAAD(bound(place));
    decipher.setAuthTag(all.subarray(-16));
    return Buffer.concat([decipher.update(all.subarray(12, -16)), decipher.final()]).toString("utf8");
  } catch (error) {
    throw new Error(DAMAGED, { cause: error });
  }
}
