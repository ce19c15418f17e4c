import type { Credentials } from "./credentials.ts";
import { endTokens } from "./end-tokens.ts";
import type { Forgotten } from "./oauth.ts";
import { grantOf, nameOf } from "./oauth-context.ts";
import { unattendedGrant } from "./obtain.ts";
import type { Parts } from "./parts.ts";
import type { Place } from "./records.ts";
import { settingsOf } from "./settings.ts";

/** Deletes the tokens of one owner at one server, then revokes them at the authorization server. */
export async function forget(parts: Parts, place: Place, signal: AbortSignal): Promise<Forgotten> {
  const before = await erase(parts, place);
  if (!before) return { was: false, revoked: false };
  const revoked = await revokeTokens(parts, place, before, signal);
  return { was: before.tokens !== undefined || before.pending !== undefined, revoked };
}

/**
 * Deletes the tokens that the proxy got for a person with assertions of the identity provider. They are revoked
 * afterwards, which nobody waits for.
 *
 * @returns the servers for which they were
 */
export async function forgetObtained(parts: Parts, owner: string, signal: AbortSignal): Promise<string[]> {
  const { holders, log, records } = parts;
  // A request for a token that is under way must store nothing either.
  for (const holder of holders.all())
    if (holder.place.owner === owner && unattendedGrant(parts, holder.place) === "id_jag") holder.forgotten();
  const servers: string[] = [];
  for (const place of await records.places(owner)) {
    const stored = await records.get(place).catch(() => undefined);
    if (stored?.grant !== "id_jag") continue;
    const before = await erase(parts, place);
    servers.push(place.server);
    if (before) log.catch(`revoking a token at "${place.server}"`, revokeTokens(parts, place, before, signal));
  }
  return servers;
}

/** Deletes the tokens of one owner at one server. @returns what was stored; undefined if nothing was */
async function erase({ flows, holders }: Parts, { server, owner }: Place): Promise<Credentials | undefined> {
  const holder = holders.of(server, owner);
  const before = await holder.read().catch((): Credentials => {
    holder.discard();
    return {};
  });
  holder.forgotten();
  if (!before) return undefined;
  const { authority, grant, pending } = before;
  await holder.change((now) => ({
    // The next connection may get a token by itself again; only a person signs out.
    ...(authority && grant === undefined && { authority, signed_out: true as const }),
    ...(now.client?.registered && { client: now.client }),
  }));
  if (pending) await flows.settle(pending.state);
  return before;
}

async function revokeTokens(
  parts: Parts,
  { server }: Place,
  { authority, client, tokens }: Credentials,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, config, log } = parts;
  const entry = config.server(server);
  const settings = entry && (await settingsOf(parts, entry, nameOf(parts, server, "")).catch(() => undefined));
  if (!authority || !client || !settings) return false;
  return endTokens(grantOf(parts, { authority, client, settings, signal }), tokens, clock, log);
}

/**
 * Deletes the sign-ins of all owners at a removed server: a server that is added later under the same name is a
 * different one.
 */
export async function drop(parts: Parts, server: string): Promise<void> {
  const { holders, records } = parts;
  const held = holders.all().map(({ place }) => place);
  const places = [...held, ...(await records.places()), { owner: "", server }];
  for (const place of places) if (place.server === server) await removeRecord(parts, place);
}

/** Deletes everything about one owner at one server. */
export async function removeRecord({ holders, records }: Parts, place: Place): Promise<void> {
  const holder = holders.all().find((one) => one.place.owner === place.owner && one.place.server === place.server);
  if (holder) {
    holders.remove(holder);
    holder.forgotten();
    holder.stop();
  }
  await records.put(place, undefined);
}
