import * as v from "valibot";
import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { seal, unseal } from "../../core/base/seal.ts";
import { operatorSealingKeys } from "../../core/secrets/sealing-keys.ts";
import { credentialKey } from "../oauth/user-key.ts";

/** The parts of the App that stored identities need. */
type RecordApp = Pick<App, "config" | "secrets" | "store">;

/**
 * What the identity provider issued at a user's sign-in, with which the proxy requests assertions about the user. It is
 * kept only while a server needs it (`auth_broker.mode: id_jag`).
 */
const IdentityRecord = v.object({
  /** The browser session of that sign-in; the record ends when its user signs out there. */
  session: v.string(),
  idToken: v.string(),
  /** When the ID token expires (ms). */
  expiresAt: v.number(),
  refreshToken: v.exactOptional(v.string()),
});
export type IdentityRecord = v.InferOutput<typeof IdentityRecord>;

const PREFIX = "identity/";
/** The name of the document, which is sealed for this place only. */
export const identityDocument = (user: string) => PREFIX + user;

/** Returns the ids of the users about whom something is stored. */
export const usersWithIdentity = async ({ store }: Pick<App, "store">): Promise<string[]> =>
  (await store.documents.keys(PREFIX)).map((key) => key.slice(PREFIX.length));

/** Whether a configured server needs the identities of users. */
export const isIdentityNeeded = ({ config }: Pick<App, "config">): boolean =>
  config.current().mcpServers.some(({ auth_broker, enabled }) => enabled && auth_broker?.mode === "id_jag");

/** Returns what is stored about a user; undefined if there is nothing, or it was sealed with another key. */
export async function readIdentity(app: RecordApp, user: string): Promise<IdentityRecord | undefined> {
  const place = identityDocument(user);
  const stored = await app.store.documents.get(place);
  if (!isJsonObject(stored) || typeof stored.key !== "string" || typeof stored.sealed !== "string") return undefined;
  const { key, sealed } = stored;
  try {
    const { bytes } = await keysOf(app).byId(key);
    const { success, output } = v.safeParse(IdentityRecord, JSON.parse(unseal(bytes, place, sealed)));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}

/** Stores what the identity provider issued, sealed with `credential_encryption_key`. @throws Error without that key */
export async function writeIdentity(app: RecordApp, user: string, record: IdentityRecord): Promise<void> {
  const place = identityDocument(user);
  const { id, bytes } = await keysOf(app).forSealing();
  await app.store.documents.set(place, { key: id, sealed: seal(bytes, place, JSON.stringify(record)) });
}

/** Deletes what is stored about a user. */
export async function deleteIdentity({ store }: Pick<App, "store">, user: string): Promise<void> {
  await store.documents.set(identityDocument(user), undefined);
}

const keysOf = (app: RecordApp) => operatorSealingKeys(() => credentialKey(app));
