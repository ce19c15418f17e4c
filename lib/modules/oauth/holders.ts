import { reasonOf } from "../../core/base/fault.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import { grantByClient, renew } from "./grants.ts";
import { createHolder, type Holder, type HolderOptions } from "./holder.ts";
import { grantOf, nameOf, type OAuthContext } from "./oauth-context.ts";
import { obtainToken } from "./obtain.ts";
import type { Place } from "./records.ts";
import { refusalOf } from "./refusal.ts";
import { configuredClient } from "./register.ts";
import { Refused } from "./renewer.ts";
import { settingsOf } from "./settings.ts";

/** A holder with its owner and server. */
export type Placed = Holder & { readonly place: Place };

/** The holders of every owner and server, created on demand. */
export interface Holders {
  /** @param owner absent for the shared sign-in */
  of(server: string, owner?: string): Placed;
  all(): Placed[];
  /** Removes a holder; later requests get a new one. */
  remove(holder: Placed): void;
}

export function createHolders(around: OAuthContext): Holders {
  const holders = new Map<string, Placed>();
  // Each call asks for a holder, so the key is made without JSON. The length makes it unambiguous.
  const keyOf = (server: string, owner: string) => `${owner.length}:${owner}${server}`;
  return {
    of(server, owner = "") {
      const key = keyOf(server, owner);
      const existing = holders.get(key);
      if (existing) return existing;
      const place = { owner, server };
      const holder = Object.assign(createHolder(optionsFor(around, place)), { place });
      holders.set(key, holder);
      return holder;
    },
    all: () => [...holders.values()],
    remove: ({ place: { server, owner } }) => void holders.delete(keyOf(server, owner)),
  };
}

/** The storage, renewal and notifications of a holder. */
function optionsFor(around: OAuthContext, place: Place): HolderOptions {
  const { clock, config, events, log, records, closing } = around;
  const { server } = place;
  const { shared } = records;
  return {
    clock,
    read: () =>
      records.get(place).catch((error: unknown) => {
        throw new Error(`its stored sign-in cannot be decrypted: ${reasonOf(error)}`, { cause: error });
      }),
    write: (next) => records.put(place, next),
    isShared: shared !== undefined,
    renew: (now, tokens) => renewal(around, server, now, tokens),
    obtain: (holder) => obtainToken(around, place, holder),
    ...(shared && { exclusively: (work: () => Promise<void>) => shared.exclusively(place, work, closing) }),
    wanted: () => config.server(server)?.enabled === true,
    renewed(expiresAt) {
      log.debug(`the sign-in at server "${server}" was renewed`);
      events.publish("oauth.token_refreshed", {
        server_name: server,
        ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
      });
    },
    renewalFailed({ text }, final) {
      log.warn(
        `the sign-in at server "${server}" ${final ? "has ended" : "could not be renewed; the proxy keeps trying"}: ${text}`,
      );
      events.publish("oauth.refresh_failed", { server_name: server, error: text });
    },
    changed: () => events.publish("servers.changed", { server, reason: "sign_in_changed" }),
  };
}

/** Renews tokens at the authorization server with the current configuration. @throws Refused */
async function renewal(
  around: OAuthContext,
  server: string,
  { authority, client, grant: byItself }: Credentials,
  tokens: Tokens,
): Promise<Tokens> {
  const entry = around.config.server(server);
  if (!authority || !client || !entry) throw new Error("its origin is unknown");
  let secretTexts: (string | undefined)[] = [tokens.access, tokens.refresh, client.secret];
  try {
    const settings = await settingsOf(around, entry, nameOf(around, server, ""));
    secretTexts = [...secretTexts, ...settings.secret];
    if (byItself && settings.grant !== byItself)
      throw new Refused({ kind: "grant", text: "the configuration has another oauth.grant since; sign in again" });
    if (byItself) {
      const now = configuredClient(authority, settings, "") ?? client;
      return await grantByClient(grantOf(around, { authority, client: now, settings }), tokens.scope);
    }
    if (!client.registered && client.id !== (settings.clientId ?? settings.clientMetadataUrl))
      throw new Error("the configured client id has changed since; sign in again");
    return await renew(grantOf(around, { authority, client, settings }), tokens);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(refusalOf(error, secretTexts), { cause: error });
  }
}
