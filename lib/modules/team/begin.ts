import type { App } from "../../core/app.ts";
import type { Edition } from "./edition.ts";
import { currentEdition } from "./edition.ts";
import { Fault } from "./faults.ts";
import { randomSecret, rememberSignIn, sha256Hex } from "./pending.ts";
import { provider, unavailable } from "./provider.ts";

/** Path to which the provider redirects, exactly as registered there (spec 001 §4.3). */
const CALLBACK = "/api/v1/auth/callback";

const SCOPES = ["openid", "profile", "email"];

interface Begin {
  /** Where the browser goes after the sign-in; a path of this service. */
  path: string;
  /** Scheme, host and port of the client's request, used without a `public_url`. */
  base: string;
  /** IP address of the client. */
  from: string;
}

/** The URL to redirect to, and the content of the cookie that identifies the browser when it returns. */
interface Begun {
  readonly to: string;
  readonly state: string;
  readonly browser: string;
}

/**
 * Begins a sign-in: creates the authorization request with a verifier, a nonce, and a state that only this browser can
 * use, once (spec 001 §5 item 4).
 *
 * @throws Fault edition_off, invalid_request, sign_in_unavailable
 */
export async function begin(app: App, { path: wanted, base, from }: Begin): Promise<Begun> {
  const block = requireEdition(app);
  const path = ownPath(wanted);
  const { oidc, configuration } = await provider(app, block);
  const [state, nonce, verifier, browser] = [randomSecret(), randomSecret(), randomSecret(), randomSecret()];
  const redirectUri = (publicOrigin(block) ?? base) + CALLBACK;
  try {
    const to = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: (block.oauth.scopes ?? SCOPES).join(" "),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const pending = { verifier, nonce, redirectUri, path, browser: sha256Hex(browser) };
    await rememberSignIn(app, state, { pending, from });
    return { to: to.href, state, browser };
  } catch (error) {
    throw unavailable(error);
  }
}

/** @throws Fault edition_off */
export function requireEdition(app: Pick<App, "config">): Edition {
  const block = currentEdition(app);
  if (!block) throw new Fault("edition_off");
  return block;
}

/** `public_url` as an origin. */
export function publicOrigin({ public_url }: Edition): string | undefined {
  return public_url === undefined ? undefined : new URL(public_url).origin;
}

/**
 * Validates a path of this service, so that a link to the sign-in cannot redirect to another site: browsers read
 * `//host` and `/\host` as another host, and skip control characters.
 *
 * @throws Fault invalid_request
 */
function ownPath(text: string): string {
  const here = "http://here.invalid";
  const odd = /[\\\u0000-\u0020\u007f]/.test(text) || !text.startsWith("/") || !URL.canParse(text, here);
  const url = odd ? undefined : new URL(text, here);
  if (!url || url.origin !== here || text.startsWith("//") || url.pathname.startsWith("//"))
    throw new Fault("invalid_request", { reason: "redirect_uri: must be a path of this service, such as /ui/" });
  return url.pathname + url.search + url.hash;
}
