import type { Credentials } from "./credentials.ts";
import { endTokens } from "./end-tokens.ts";
import type { Forgotten } from "./oauth.ts";
import { grantOf, nameOf } from "./oauth-context.ts";
import type { Parts } from "./parts.ts";
import type { Place } from "./records.ts";
import { settingsOf } from "./settings.ts";

/** Deletes the tokens of one owner at one server, then revokes them at the authorization server. */
export async function forget(parts: Parts, { server, owner }: Place, signal: AbortSignal): Promise<Forgotten> {
  const { clock, config, flows, holders, log } = parts;
  const holder = holders.of(server, owner);
  const before = await holder.read().catch((): Credentials => {
    holder.discard();
    return {};
  });
  holder.forgotten();
  if (!before) return { was: false, revoked: false };
  const { authority, client, tokens, pending, grant } = before;
  await holder.change((now) => ({
    // The next connection may get a token by itself again; only a person signs out.
    ...(authority && grant === undefined && { authority, signed_out: true as const }),
    ...(now.client?.registered && { client: now.client }),
  }));
  if (pending) await flows.settle(pending.state);
  const entry = config.server(server);
  const settings = entry && (await settingsOf(parts, entry, nameOf(parts, server, "")).catch(() => undefined));
  const revoked =
    authority && client && settings
      ? await endTokens(grantOf(parts, { authority, client, settings, signal }), tokens, clock, log)
      : false;
  return { was: tokens !== undefined || pending !== undefined, revoked };
}

/**
 * Deletes the sign-ins of all owners at a removed server: a server that is added later under the same name is a
 * different one.
 */
export async function drop({ holders, records }: Parts, server: string): Promise<void> {
  for (const holder of holders.all()) {
    if (holder.place.server !== server) continue;
    holders.remove(holder);
    holder.forgotten();
    holder.stop();
    await records.put(holder.place, undefined);
  }
  await records.put({ owner: "", server }, undefined);
}
