import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordId } from "../../core/base/id.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { requireEdition } from "./begin.ts";
import type { Edition } from "./edition.ts";
import { Fault } from "./faults.ts";
import { type Identity, identityOf, wantsUserinfo } from "./identity.ts";
import type { IdentityTokens } from "./keep-identity.ts";
import { type Pending, sha256Hex, takeSignIn } from "./pending.ts";
import { forgetProvider, provider, unavailable } from "./provider.ts";
import { isAppointed } from "./scope.ts";

/** The request of the returning browser. */
interface Return {
  /** The query of the callback. */
  query: string;
  /** The content of the browser's cookie for this state. */
  browser(state: string): string | undefined;
}

interface SignedIn {
  readonly user: UserRow;
  /** Where the browser goes. */
  readonly path: string;
  readonly tokens: IdentityTokens;
}

/**
 * Finishes a sign-in: exchanges the code for tokens, reads the identity from them and updates the user. The tokens are
 * not stored here (`keepIdentity`).
 *
 * @returns the user, the path to which the browser goes, and the tokens
 * @throws Fault edition_off, sign_in_state, sign_in_denied, sign_in_unavailable
 */
export async function finish(app: App, { query, browser }: Return): Promise<SignedIn> {
  const block = requireEdition(app);
  const params = new URLSearchParams(query);
  const state = params.getAll("state").length === 1 ? params.get("state")! : "";
  const pending = await takeSignIn(app, state);
  if (!pending || sha256Hex(browser(state) ?? "") !== pending.browser) throw new Fault("sign_in_state");
  const { identity, tokens } = await identify(app, block, pending, { query, state });
  return { user: await admit(app, block, identity), path: pending.path, tokens };
}

async function identify(
  app: App,
  block: Edition,
  { verifier, nonce, redirectUri }: Pending,
  { query, state }: { query: string; state: string },
): Promise<{ identity: Identity; tokens: IdentityTokens }> {
  const { oidc, configuration } = await provider(app, block);
  try {
    // Uses the registered redirect URI, not the URL of this request, with the query of the request.
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // The library checks it only if there are several audiences.
    if (claims.azp !== undefined && claims.azp !== block.oauth.client_id)
      throw new Fault("sign_in_denied", { reason: "the ID token was issued to another client (azp)" });
    const more =
      wantsUserinfo(block, claims) && configuration.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
    const { id_token: idToken = "", refresh_token: refreshToken } = tokens;
    return {
      identity: identityOf(block, claims, more),
      tokens: { idToken, expiresAt: claims.exp * 1000, ...(refreshToken !== undefined && { refreshToken }) },
    };
  } catch (error) {
    // An unknown signing key means that the provider has changed its keys.
    if ((error as { code?: unknown }).code === "OAUTH_KEY_SELECTION_FAILED") forgetProvider(app);
    throw explained(error);
  }
}

/** The message depends on the cause: the network, a denial by the provider, or an invalid response. */
function explained(error: unknown): Fault {
  if (error instanceof Fault && error.code === "sign_in_denied") return error;
  const { code, error: word, error_description: description } = error as Record<string, unknown>;
  const reached = typeof code === "string" && code.startsWith("OAUTH_") && code !== "OAUTH_TIMEOUT";
  if (!reached || (error as { cause?: unknown }).cause instanceof Fault) return unavailable(error);
  const reason =
    typeof word === "string"
      ? `the identity provider returned ${word}${typeof description === "string" ? `: ${description.slice(0, 200)}` : ""}`
      : `the identity provider's response does not belong to this sign-in (${reasonOf(error)})`;
  return new Fault("sign_in_denied", { reason }, { cause: error });
}

/** Creates or updates the user of an identity. @throws Fault sign_in_denied for a disabled user */
async function admit({ store, clock }: App, block: Edition, identity: Identity): Promise<UserRow> {
  const { subject, email, displayName, groups } = identity;
  const issuer = block.oauth.issuer_url;
  const now = clock.now();
  const id = recordId(now);
  const { after } = await store.users.changeBySubject(issuer, subject, (existing) => {
    if (existing?.disabledAt !== undefined)
      throw new Fault("sign_in_denied", { reason: "this account is disabled; an administrator can enable it" });
    const { displayName: _, ...old } = existing ?? { id, createdAt: now, bearersAfter: 0, off: [] };
    return {
      ...old,
      issuer,
      subject,
      email,
      ...(displayName !== undefined && { displayName }),
      groups,
      admin: isAppointed(block.admin_emails, identity),
      signedInAt: now,
    };
  });
  return after!;
}
