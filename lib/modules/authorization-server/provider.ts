import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientMetadata, Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { type App, part } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { callerSource } from "../../core/extension/caller-source.ts";
import { openAttemptLimit } from "../../core/extension/open-attempt-limit.ts";
import { newTokenSecret } from "../../core/verbs/tokens/secret.ts";
import { acceptAssertions } from "./accept-assertion.ts";
import { createAdapter } from "./adapter.ts";
import { fetchClientDocument } from "./client-documents.ts";
import { Fault } from "./faults.ts";
import { findGrant } from "./grants.ts";
import { CLIENT_AUTH_METHODS, JWT_BEARER, RESPONSE_MODES, ROUTES } from "./metadata.ts";
import { type RequestNote, recordRefusals } from "./record-refusals.ts";
import { successorOf } from "./refresh-tokens.ts";
import { findResource } from "./resources.ts";
import { SCOPES } from "./scopes.ts";
import { acceptsAssertions, accessTokenMs, type ConfiguredClient, issuerOf, oauthSettings } from "./settings.ts";
import { shownClients } from "./shown-clients.ts";

/** The subject of the administrator in the single-user edition. */
export const ADMIN_ACCOUNT = "admin";

/** Time for a person to answer and to sign in at the servers that need it, and for a client to redeem its code. (s) */
export const INTERACTION_S = 60 * 60;
export const CODE_S = 60;

/** Limits for fetching clients' documents and keys, which anybody can cause, from addresses that a client chooses. */
const DOCUMENTS = { perKey: 30, total: 300, windowMs: 60_000 };

/** The authorization server and the function that answers its requests. */
export interface OAuthProvider {
  readonly provider: Provider;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Whether the secrets of all configured clients are known. */
  readonly isComplete: boolean;
}

/** After this time the provider is opened again for clients without their secret, which can be stored meanwhile. (ms) */
const INCOMPLETE_FOR_MS = 10_000;

/**
 * Returns the authorization server. It is opened at the first request, because the library is large and the issuer is
 * known only when the proxy listens. If that fails, the next request tries it again.
 */
export const oauthProvider = part<() => Promise<OAuthProvider>>("oauthProvider", (app) => {
  let opened: Promise<OAuthProvider> | undefined;
  const open = () => {
    const opening = openProvider(app);
    const forget = () => {
      if (opened === opening) opened = undefined;
    };
    opening.then(({ isComplete }) => !isComplete && app.clock.after(INCOMPLETE_FOR_MS, forget), forget);
    return opening;
  };
  // The secrets of configured clients may be among them.
  app.events.subscribe(["secrets.changed"], () => {
    opened = undefined;
  });
  return () => {
    opened ??= open();
    return opened;
  };
});

async function openProvider(app: App): Promise<OAuthProvider> {
  const { default: Provider, interactionPolicy, errors } = await import("oidc-provider");
  const { Prompt, Check } = interactionPolicy;
  const isSignIn = () => /^(authorization|resume)$/.test(Provider.ctx?.oidc?.route ?? "");
  const documents = openAttemptLimit(app, "client documents", DOCUMENTS);
  const accessTtl = (ctx: KoaContextWithOIDC, token: { grantId?: string | undefined }) =>
    Math.min(accessTokenMs(app) / 1000, grantTtl(ctx, token));
  const grantTtl = (_: unknown, { grantId }: { grantId?: string | undefined }) => {
    const found = findGrant(app, grantId ?? "");
    return found ? Math.max(1, Math.ceil((found.row.expiresAt - app.clock.now()) / 1000)) : 1;
  };

  const clients = await configuredClients(app);
  const configuration: Configuration = {
    adapter: createAdapter(app, isSignIn, errors),
    clients,
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    clientBasedCORS: () => true,
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      response_modes: [...RESPONSE_MODES],
      id_token_signed_response_alg: "ES256",
      token_endpoint_auth_method: "none",
    },
    cookies: {
      keys: [(await derivedKey(app, "cookies of sign-ins")).toString("base64url")],
      names: { interaction: "proxy_sign_in", resume: "proxy_sign_in_resume", session: "proxy_sign_in_session" },
      short: { httpOnly: true, sameSite: "lax", signed: true },
      long: { httpOnly: true, sameSite: "lax", signed: true },
    },
    enabledJWA: {
      idTokenSigningAlgValues: ["ES256"],
      clientAuthSigningAlgValues: ["ES256", "RS256", "PS256", "EdDSA"],
    },
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      registration: { enabled: oauthSettings(app).dynamic_registration, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => oneOf ?? `${issuerOf(app)}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo(_, indicator) {
          if (!findResource(app, indicator))
            throw new errors.InvalidTarget("the resource is not an MCP endpoint of this proxy");
          return { scope: SCOPES.join(" "), audience: indicator, accessTokenFormat: "opaque" };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        cacheDuration: { min: 60, max: 3600 },
        allowFetch: () => true,
        allowClient: () => true,
      },
    } as Configuration["features"],
    async fetch(url, options) {
      const waitMs = await documents.take(addressOf(Provider.ctx));
      if (waitMs > 0) throw new Fault("client_sign_in_busy", { retryAfterMs: waitMs });
      const { signal } = options as { signal?: AbortSignal };
      return fetchClientDocument(app, String(url), signal ?? new AbortController().signal);
    },
    findAccount: (_, sub) => (isAccount(app, sub) ? { accountId: sub, claims: () => ({ sub }) } : undefined),
    interactions: {
      // Every sign-in shows the client to a person, who may have allowed it before: a client is not always proven.
      policy: [
        new Prompt(
          { name: "login", requestable: true },
          new Check("not_allowed", "a person must allow the client", (ctx) => ctx.oidc.result?.consent === undefined),
        ),
        new Prompt({ name: "consent", requestable: true }),
      ] as never,
      async url({ oidc }, { uid }) {
        await app.part(shownClients).put(uid, oidc.client!.metadata(), INTERACTION_S * 1000);
        return `/ui/consent/${uid}`;
      },
    },
    issueRefreshToken: async () => true,
    jwks: { keys: [signingKey()] },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    pkce: { required: () => true },
    renderError: (ctx, out) => {
      ctx.type = "json";
      ctx.body = JSON.stringify(out);
    },
    responseTypes: ["code"],
    rotateRefreshToken: true,
    routes: ROUTES,
    scopes: [],
    subjectTypes: ["public"],
    ttl: {
      AccessToken: accessTtl,
      AuthorizationCode: CODE_S,
      Grant: grantTtl as never,
      Interaction: INTERACTION_S,
      RefreshToken: grantTtl,
      Session: INTERACTION_S,
      IdToken: CODE_S,
    },
  };
  const provider = new Provider(issuerOf(app), configuration);
  // Its access tokens are the secrets of agent tokens.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format?: string }) {
      this.format = "opaque";
      return newTokenSecret().secret;
    },
  });
  const refreshKey = await derivedKey(app, "refresh tokens");
  Object.assign(provider.RefreshToken.prototype, {
    generateTokenId() {
      const { grant_type, refresh_token } = Provider.ctx?.oidc?.params ?? {};
      return grant_type === "refresh_token"
        ? successorOf(refreshKey, String(refresh_token))
        : randomBytes(32).toString("base64url");
    },
  });
  if (acceptsAssertions(app)) acceptAssertions(app, provider, errors);
  recordRefusals(app, provider);
  const isComplete = clients.length === oauthSettings(app).clients.length;
  return { provider, handle: provider.callback() as OAuthProvider["handle"], isComplete };
}

/** Returns the clients of the configuration; one without its secret is left out, so that the others can sign in. */
async function configuredClients(app: App): Promise<ClientMetadata[]> {
  const found = await Promise.all(
    oauthSettings(app).clients.map((client) =>
      configuredClient(app, client).catch((error: unknown) => {
        app.log.warn(`the client "${client.client_id}" (auth.oauth.clients) cannot sign in: ${reasonOf(error)}`);
        return [];
      }),
    ),
  );
  return found.flat();
}

async function configuredClient(
  app: App,
  { client_id, client_name, client_secret, redirect_uris, id_jag }: ConfiguredClient,
): Promise<ClientMetadata[]> {
  const isNative = redirect_uris.some((uri) => uri.startsWith("http:"));
  return [
    {
      client_id,
      client_name: client_name ?? client_id,
      redirect_uris: [...redirect_uris],
      ...(id_jag && acceptsAssertions(app) && { grant_types: ["authorization_code", "refresh_token", JWT_BEARER] }),
      application_type: isNative ? "native" : "web",
      ...(client_secret === undefined
        ? { token_endpoint_auth_method: "none" }
        : {
            client_secret: await app.secrets.resolve(client_secret),
            token_endpoint_auth_method: "client_secret_basic",
          }),
    },
  ];
}

/** True if a person may still use the proxy. */
function isAccount(app: App, subject: string): boolean {
  if (subject === ADMIN_ACCOUNT) return true;
  const user = app.store.users.get(subject);
  return user !== undefined && app.part(callerSource).admits(user);
}

/** Returns a key of this installation for one purpose; it is the same at all replicas and after a restart. */
async function derivedKey({ secrets }: App, purpose: string): Promise<Buffer> {
  const { bytes } = await secrets.sealingKeys.forSealing();
  return createHmac("sha256", bytes).update(purpose).digest();
}

/** The provider requires a key for ID tokens, which it never issues here. */
function signingKey() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" };
}

/** Returns the address that `askOAuth` notes with a request. */
const addressOf = (ctx: { req: object } | undefined): string =>
  (ctx?.req as { note?: RequestNote } | undefined)?.note?.clientIp ?? "local";
