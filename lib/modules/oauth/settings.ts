import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { LiveConfig } from "../../core/config/live-config.ts";
import type { Secrets } from "../../core/secrets/secrets.ts";
import { configuredAuthorization, hasConfiguredCredentials } from "../../core/upstream/configured-credentials.ts";
import { allowFor } from "./allow.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";

/** One server's sign-in settings with all references resolved, created for each use. */
export interface Settings {
  url: URL;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** How the proxy gets tokens. */
  grant: "authorization_code" | "client_credentials" | "id_jag";
  /** The private key of the client, with its id. */
  privateKey: PrivateKey | undefined;
  /** URL of the client ID metadata document. */
  clientMetadataUrl: string | undefined;
  redirectUri: string | undefined;
  scopes: readonly string[] | undefined;
  extra: Readonly<Record<string, string>>;
  issuer: string | undefined;
  authorizationEndpoint: string | undefined;
  tokenEndpoint: string | undefined;
  /** Hosts in internal networks that may be contacted. */
  allow: readonly string[];
  /** Values that no text may contain. */
  secret: readonly string[];
}

/** A private key as PEM text. */
export interface PrivateKey {
  readonly pem: string;
  readonly id: string | undefined;
}

interface Means {
  readonly config: Pick<LiveConfig, "current">;
  readonly secrets: Secrets;
}

/** @throws Fault oauth_not_supported for a server without sign-in; secret_missing */
export async function settingsOf({ config, secrets }: Means, server: ServerConfig, name: FlowName): Promise<Settings> {
  const { oauth = {}, url: address } = server;
  const refuse = (reason: string, suggestion: string) => flowFault("oauth_not_supported", name, reason, suggestion);
  if (!address || server.protocol === "stdio")
    throw refuse(
      `server "${server.name}" is a local program, which has no sign-in`,
      "set its credentials in env or args instead",
    );
  // A client that changed the server over MCP could be trying to obtain its secrets.
  if (server.held === true)
    throw refuse(
      `server "${server.name}" was added or changed over MCP; the proxy sends it nothing until an administrator confirms it`,
      `review its definition and confirm it with: proxy upstream confirm ${server.name}`,
    );
  const text = (value: string | undefined) => (value === undefined ? undefined : secrets.resolve(value));
  const url = new URL(await secrets.resolve(address));
  if (hasConfiguredCredentials(server, url)) {
    const header = configuredAuthorization(server);
    throw refuse(
      `server "${server.name}" has an Authorization header in its entry, which the proxy sends instead of a sign-in`,
      header === undefined
        ? `set its address without a user name and password, with: proxy upstream patch ${server.name} --address …`
        : `remove that first, with: proxy upstream patch ${server.name} --header-remove ${header}`,
    );
  }
  const extra: Record<string, string> = {};
  for (const [key, value] of Object.entries(oauth.extra_params ?? {})) extra[key] = await secrets.resolve(value);
  const clientSecret = (await text(oauth.client_secret)) || undefined;
  const pem = (await text(oauth.private_key)) || undefined;
  return {
    url,
    clientId: (await text(oauth.client_id)) || undefined,
    clientSecret,
    grant: oauth.grant ?? "authorization_code",
    privateKey: pem === undefined ? undefined : { pem, id: oauth.key_id },
    clientMetadataUrl: config.current().oauth_client_metadata_url,
    redirectUri: (await text(oauth.redirect_uri)) || undefined,
    scopes: oauth.scopes && (await Promise.all(oauth.scopes.map((scope) => secrets.resolve(scope)))),
    extra,
    issuer: oauth.issuer,
    authorizationEndpoint: oauth.authorization_endpoint,
    tokenEndpoint: oauth.token_endpoint,
    allow: allowFor(
      url,
      [oauth.issuer, oauth.authorization_endpoint, oauth.token_endpoint],
      config.current().outbound_allow,
    ),
    secret: [clientSecret, pem, ...Object.values(extra)].filter((value) => value !== undefined),
  };
}
