import * as v from "valibot";
import { isLoopback } from "../base/host-port.ts";
import { duration, formText, oneOfWords, strings } from "./fields.ts";

/** `server_edition`: sign-in for several people (spec 001 §2.6). */

const about = v.description;

const OAuth = v.looseObject({
  provider: v.optional(v.pipe(oneOfWords(["oidc"]), about("protocol of the identity provider")), "oidc"),
  issuer_url: v.optional(
    v.pipe(
      v.string(),
      v.check(isIssuer, "must be an https address without query; http only on this machine"),
      about("issuer of the identity provider, exactly as its metadata names it; required"),
    ),
  ),
  client_id: v.optional(v.pipe(v.string(), about("client id registered at the identity provider; required"))),
  client_secret: v.optional(v.pipe(v.string(), about("client secret; required, preferably a secret reference"))),
  scopes: v.optional(
    v.pipe(
      strings(),
      v.check((scopes) => scopes.includes("openid"), "must include openid"),
      about("scopes to request; absent: `openid`, `profile`, `email`"),
    ),
  ),
  groups_claim: v.optional(v.pipe(v.string(), about("claim that contains the names of the user's groups")), "groups"),
  email_verified_policy: v.optional(
    v.pipe(
      oneOfWords(["refuse_false", "require_true", "ignore"]),
      about(
        "which sign-ins the `email_verified` claim prevents: `refuse_false`: those where it is false; `require_true`: those where it is not true; `ignore`: none",
      ),
    ),
    "refuse_false",
  ),
  display_name: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(64, "has at most 64 characters"),
      about("name of the identity provider on the sign-in button"),
    ),
  ),
});

const Servers = v.union(
  [
    v.pipe(
      v.literal("*"),
      v.transform(() => ["*"]),
    ),
    strings(),
  ],
  'must be a list of server names or "*"',
);

const Access = v.looseObject({
  group_servers: v.optional(
    v.pipe(
      v.record(v.string(), Servers),
      formText("map of group to list of servers"),
      about("servers that each group may use; `*`: every shared server"),
    ),
    {},
  ),
  default_servers: v.optional(v.pipe(strings(), about("servers that every user may use")), []),
});

const fields = {
  enabled: v.optional(v.pipe(v.boolean(), about("enable the multi-user edition")), false),
  admin_emails: v.optional(v.pipe(strings(), about("email addresses of administrators")), []),
  public_url: v.optional(
    v.pipe(
      v.string(),
      v.check(isOrigin, 'must be an origin such as "https://proxy.example.com", without path or query'),
      about("public origin of the proxy, as registered at the identity provider"),
    ),
  ),
  session_cookie_secure: v.optional(
    v.pipe(
      v.union(
        [oneOfWords(["auto", "true", "false"]), v.pipe(v.boolean(), v.transform(String))],
        "must be one of auto, true, false",
      ),
      formText("`auto`, `true`, `false`"),
      about("set the `Secure` attribute of the session cookie; `auto`: if `public_url` is https"),
    ),
    "auto",
  ),
  credential_encryption_key: v.optional(
    v.pipe(
      v.string(),
      about(
        "key that encrypts the stored sign-ins of users, preferably 32 bytes in base64; absent: the environment variable `SERVICE_CRED_KEY`",
      ),
    ),
  ),
  session_ttl: v.optional(
    v.pipe(duration(60_000, 30 * 86_400_000, "1m to 30d"), about("lifetime of a user's session in the browser")),
    "24h",
  ),
  bearer_token_ttl: v.optional(
    v.pipe(duration(60_000, 30 * 86_400_000, "1m to 30d"), about("lifetime of a user's bearer token for REST")),
    "24h",
  ),
  oauth: v.optional(v.pipe(OAuth, about("identity provider"))),
  access: v.optional(v.pipe(Access, about("servers that each group may use; absent: every user may use all servers"))),
};

export const ServerEdition = v.pipe(
  v.looseObject(fields),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || !dataset.value.enabled) return;
    const edition = dataset.value;
    const refuse = (message: string, ...keys: string[]) =>
      addIssue({
        message,
        path: keys.map(
          (key) => ({ type: "object", origin: "value", input: {}, key, value: undefined }) as const,
        ) as never,
      });
    for (const key of ["issuer_url", "client_id", "client_secret"] as const)
      if (!edition.oauth?.[key]) refuse("is required when server_edition.enabled is true", "oauth", key);
    if (edition.session_cookie_secure === "false" && edition.public_url?.startsWith("https:"))
      refuse("false contradicts an https public_url", "session_cookie_secure");
  }),
);

function isIssuer(text: string): boolean {
  if (text === "") return true;
  const url = urlOf(text);
  if (!url || url.search || url.hash || url.username || url.password || url.pathname.includes("/.well-known/"))
    return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(hostOf(url)));
}

function isOrigin(text: string): boolean {
  const url = urlOf(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return text === url.origin || text === `${url.origin}/`;
}

/** True if the text is a key of 32 bytes in base64. */
export function isEncryptionKey(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim());
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1");
