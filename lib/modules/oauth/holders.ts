import type { Clock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import { renew } from "./grants.ts";
import { type Holder, type HolderOptions, SignInHolder } from "./holder.ts";
import { NoPersonalToken } from "./identity-assertions.ts";
import { grantOf, nameOf, type OAuthContext } from "./oauth-context.ts";
import { obtainToken, tokensBy, unattendedGrant } from "./obtain.ts";
import type { Place } from "./records.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
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
      const holder = new PlacedHolder(around, { owner, server });
      holders.set(key, holder);
      return holder;
    },
    all: () => [...holders.values()],
    remove: ({ place: { server, owner } }) => void holders.delete(keyOf(server, owner)),
  };
}

class PlacedHolder extends SignInHolder implements Placed {
  readonly place: Place;

  constructor(around: OAuthContext, place: Place) {
    super(new PlacedOptions(around, place));
    this.place = place;
  }
}

/** The storage, renewal and notifications of a holder. */
class PlacedOptions implements HolderOptions {
  readonly clock: Clock;
  readonly change?: NonNullable<HolderOptions["change"]>;
  readonly exclusively?: NonNullable<HolderOptions["exclusively"]>;
  private readonly around: OAuthContext;
  private readonly place: Place;

  constructor(around: OAuthContext, place: Place) {
    const { shared } = around.records;
    this.clock = around.clock;
    this.around = around;
    this.place = place;
    if (shared) {
      this.change = (edit) => shared.change(place, edit);
      this.exclusively = (work) => shared.exclusively(place, work, around.closing);
    }
  }

  read(): Promise<Credentials | undefined> {
    return this.around.records.get(this.place).catch((error: unknown) => {
      throw new Error(`its stored sign-in cannot be read: ${reasonOf(error)}`, { cause: error });
    });
  }

  write(next: Credentials | undefined): Promise<void> {
    return this.around.records.put(this.place, next);
  }

  renew(now: Credentials, tokens: Tokens): Promise<Tokens> {
    return renewal(this.around, this.place, now, tokens);
  }

  obtain(holder: Holder): Promise<boolean> {
    return obtainToken(this.around, this.place, holder);
  }

  wanted(): boolean {
    const { around, place } = this;
    if (around.config.server(place.server)?.enabled !== true) return false;
    // A user's token is replaced when the user calls the server, because the identity provider decides each time.
    return place.owner === "" || unattendedGrant(around, place) !== "id_jag";
  }

  renewed(expiresAt: number | undefined): void {
    const { around, place } = this;
    around.log.debug(`the sign-in at server "${place.server}" was renewed`);
    around.events.publish("oauth.token_refreshed", {
      server_name: place.server,
      ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    });
  }

  renewalFailed({ text }: Refusal, final: boolean): void {
    const { around, place } = this;
    around.log.warn(
      `the sign-in at server "${place.server}" ${final ? "has ended" : "could not be renewed; the proxy keeps trying"}: ${text}`,
    );
    around.events.publish("oauth.refresh_failed", { server_name: place.server, error: text });
  }

  changed(): void {
    this.around.events.publish("servers.changed", { server: this.place.server, reason: "sign_in_changed" });
  }
}

/** Renews tokens at the authorization server with the current configuration. @throws Refused */
async function renewal(
  around: OAuthContext,
  place: Place,
  { authority, client, grant: byItself }: Credentials,
  tokens: Tokens,
): Promise<Tokens> {
  const { server } = place;
  const entry = around.config.server(server);
  if (!authority || !client || !entry) throw new Error("its origin is unknown");
  let secretTexts: (string | undefined)[] = [tokens.access, tokens.refresh, client.secret];
  try {
    const settings = await settingsOf(around, entry, nameOf(around, server, ""));
    secretTexts = [...secretTexts, ...settings.secret];
    if (byItself && unattendedGrant(around, place) !== byItself)
      throw new Refused({ kind: "grant", text: "the configuration has another way to sign in since; sign in again" });
    if (byItself) {
      const now = configuredClient(authority, settings, "") ?? client;
      const grant = grantOf(around, { authority, client: now, settings });
      return await tokensBy(byItself, around, place, grant, tokens.scope);
    }
    if (!client.registered && client.id !== (settings.clientId ?? settings.clientMetadataUrl))
      throw new Error("the configured client id has changed since; sign in again");
    return await renew(grantOf(around, { authority, client, settings }), tokens);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof NoPersonalToken) {
      const kind = error.code === "server_access_unavailable" ? "passing" : "grant";
      throw new Refused({ kind, text: error.message }, { cause: error });
    }
    throw new Refused(refusalOf(error, secretTexts), { cause: error });
  }
}
