import type * as Oidc from "openid-client";
import { type App, part } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { isLoopback } from "../../core/base/host-port.ts";
import type { Edition } from "./edition.ts";
import { Fault } from "./faults.ts";

/** The identity provider according to its discovery document. */
interface Provider {
  readonly oidc: typeof Oidc;
  readonly configuration: Oidc.Configuration;
}

/** The parts of the App that requests to the provider use. */
type ProviderApp = Pick<App, "boot" | "clock" | "egress" | "secrets" | "part">;

/** How long a discovery document is cached, and the timeout of a request to the provider (ms). */
const FRESH_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 1024 * 1024;
/** Tolerated difference between clocks (s). */
const TOLERANCE_S = 30;

const known = part<{ last: { found: Promise<Provider>; at: number } | undefined }>("identityProvider", () => ({
  last: undefined,
}));

/**
 * Discovers the provider on demand, so that an unreachable provider does not prevent the start.
 *
 * @throws Fault sign_in_unavailable
 */
export async function provider(app: ProviderApp, edition: Edition): Promise<Provider> {
  const now = app.clock.now();
  const state = app.part(known);
  if (state.last && now - state.last.at < FRESH_MS) return state.last.found;
  const found = discover(app, edition);
  state.last = { found, at: now };
  try {
    return await found;
  } catch (error) {
    if (state.last?.found === found) state.last = undefined;
    throw unavailable(error);
  }
}

/** Clears the cached discovery document, so that the next sign-in requests it again. */
export function forgetProvider(app: Pick<App, "part">): void {
  app.part(known).last = undefined;
}

async function discover(app: ProviderApp, { oauth }: Edition): Promise<Provider> {
  // The library is loaded with the first sign-in.
  const oidc = await import("openid-client");
  const issuer = new URL(oauth.issuer_url);
  const secret = await app.secrets.resolve(oauth.client_secret);
  const insecure = issuer.protocol === "http:" ? [oidc.allowInsecureRequests] : [];
  const configuration = await oidc.discovery(
    issuer,
    oauth.client_id,
    { [oidc.clockTolerance]: TOLERANCE_S },
    (as, ...rest) => authentication(oidc, as, secret)(as, ...rest),
    {
      execute: [oidc.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_MS / 1000,
      [oidc.customFetch]: guardedFetch(app, issuer),
    },
  );
  // The library compares normalised issuers; the specification requires identical bytes.
  const found = configuration.serverMetadata();
  if (found.issuer !== oauth.issuer_url)
    throw new Error(
      `its issuer is ${JSON.stringify(found.issuer)}; set server_edition.oauth.issuer_url to exactly that`,
    );
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (found[name] === undefined) throw new Error(`its discovery document names no ${name}`);
  return { oidc, configuration };
}

/** How the client secret is sent: in the header, unless the provider supports only the body. */
function authentication(oidc: typeof Oidc, as: Oidc.ServerMetadata, secret: string): Oidc.ClientAuth {
  const methods = as.token_endpoint_auth_methods_supported;
  const inBody = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return inBody ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/**
 * Sends the library's requests through the guarded fetch. The operator chose the provider's host, so it may be
 * internal; other hosts in its documents may not, unless the configuration allows them.
 */
function guardedFetch({ egress }: ProviderApp, issuer: URL): Oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    if (new URL(url).protocol === "http:" && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, "")))
      throw new Error(`${url} is neither https nor on this machine`);
    const answer = await egress.fetch(url, {
      signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
      method,
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
      redirects: 0,
      allow: [issuer.host],
    });
    const sent = new Headers(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) sent.delete(name);
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(empty ? null : answer.text, { status: answer.status, headers: sent });
  };
}

const isError = (error: unknown) => error instanceof Error;

/** The fault for an unreachable provider; the cause is only logged. */
export function unavailable(error: unknown): Fault {
  if (error instanceof Fault && error.code !== "fetch_failed" && error.code !== "address_refused") return error;
  const { cause } = error as { cause?: unknown };
  const reason = cause instanceof Fault ? cause.message : [error, cause].filter(isError).map(reasonOf).join(": ");
  return new Fault("sign_in_unavailable", { reason }, { cause: error });
}
