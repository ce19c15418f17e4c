import { schemeOf, webUrl } from "../../core/api/web-url.ts";
import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import type { Config } from "../../core/config/config-keys.ts";
import { Fault } from "./faults.ts";

/** The settings of the sign-in of MCP clients. */
export const oauthSettings = ({ config }: Pick<App, "config">): Config["auth"]["oauth"] => config.current().auth.oauth;

/** @throws Fault client_sign_in_disabled */
export function requireOAuth(app: Pick<App, "config">): void {
  if (!oauthSettings(app).enabled) throw new Fault("client_sign_in_disabled");
}

/** Returns the issuer: the one origin under which browsers and clients reach the authorization server (RFC 8414 §2). */
export function issuerOf({ config, boot }: Pick<App, "config" | "boot">): string {
  const current = config.current();
  const publicUrl = current.auth.oauth.public_url ?? current.server_edition?.public_url;
  return new URL(publicUrl ?? webUrl(boot.listenAddr, schemeOf(current))).origin;
}

export type ConfiguredClient = Config["auth"]["oauth"]["clients"][number];

/** A configured client with what it gets for a person by an assertion of the identity provider. */
export type AssertionClient = Pick<ConfiguredClient, "client_id" | "client_name"> &
  NonNullable<ConfiguredClient["id_jag"]>;

/** True for a client of the configuration. */
export const isConfiguredClient = (app: Pick<App, "config">, id: string): boolean =>
  oauthSettings(app).clients.some(({ client_id }) => client_id === id);

/** Returns the settings of a client that may use assertions of the identity provider. */
export function assertionClient(app: Pick<App, "config">, clientId: string | undefined): AssertionClient | undefined {
  const found = oauthSettings(app).clients.find(({ client_id }) => client_id === clientId);
  return found?.id_jag && { client_id: found.client_id, client_name: found.client_name, ...found.id_jag };
}

/** Whether assertions of the identity provider are accepted. */
export function acceptsAssertions(app: Pick<App, "config">): boolean {
  const isOn = app.config.current().server_edition?.enabled === true;
  return isOn && oauthSettings(app).clients.some(({ id_jag }) => id_jag !== undefined);
}

/** Returns how long an access token is valid. (ms) */
export const accessTokenMs = (app: Pick<App, "config">): number => durationMs(oauthSettings(app).access_ttl)!;

/** Returns the longest time that a person can allow a client. (ms) */
export const maxLifetimeMs = (app: Pick<App, "config">): number => durationMs(oauthSettings(app).max_lifetime)!;
