import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import type { Config } from "../../core/config/config-keys.ts";

type Block = NonNullable<Config["server_edition"]>;

/** The enabled multi-user edition; the check at the start ensures that required members are present. */
export type Edition = Block & {
  readonly oauth: NonNullable<Block["oauth"]> & {
    readonly issuer_url: string;
    readonly client_id: string;
    readonly client_secret: string;
  };
};

/** `server_edition` while it is enabled (spec 001 §2.6). */
export function editionOf({ server_edition }: Pick<Config, "server_edition">): Edition | undefined {
  return server_edition?.enabled ? (server_edition as Edition) : undefined;
}

/** `server_edition` of the current configuration while it is enabled. */
export function currentEdition({ config }: Pick<App, "config">): Edition | undefined {
  return editionOf(config.current());
}

/** Lifetime of a sign-in in a browser, and of a bearer token made from it (ms; reference 12.2). */
export const sessionLifeMs = ({ session_ttl }: Edition) => durationMs(session_ttl)!;
export const bearerLifeMs = ({ bearer_token_ttl }: Edition) => durationMs(bearer_token_ttl)!;

/** The provider's name on the sign-in button. */
export const providerName = ({ oauth }: Edition) => oauth.display_name ?? new URL(oauth.issuer_url).host;
