import * as v from "valibot";
import { form, oneOf, strings } from "./fields.ts";

/** `server_edition`: sign-in for several people (spec 001 §2.6). */

const about = v.description;

const OAuth = v.looseObject({
  provider: v.optional(v.pipe(oneOf(["oidc"]), about("kind of identity provider")), "oidc"),
  issuer_url: v.optional(v.pipe(v.string(), about("the provider's issuer; required"))),
  client_id: v.optional(v.pipe(v.string(), about("this service at the provider; required"))),
  client_secret: v.optional(v.pipe(v.string(), about("its secret; required, better a reference"))),
  scopes: v.optional(v.pipe(strings(), about("scopes to ask for; absent: openid, profile, email"))),
  groups_claim: v.optional(v.pipe(v.string(), about("claim that holds the group names")), "groups"),
  email_verified_policy: v.optional(
    v.pipe(oneOf(["refuse_false", "require_true", "ignore"]), about("what an unverified address means")),
    "refuse_false",
  ),
  display_name: v.optional(
    v.pipe(v.string(), v.maxLength(64, "has at most 64 characters"), about("what the sign-in button says")),
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
      form("map of group to list of servers"),
      about("servers each group may use; `*` is every shared server"),
    ),
    {},
  ),
  default_servers: v.optional(v.pipe(strings(), about("servers everybody may use")), []),
});

const fields = {
  enabled: v.optional(v.pipe(v.boolean(), about("turns the edition on")), false),
  admin_emails: v.optional(v.pipe(strings(), about("administrators by address")), []),
  public_url: v.optional(v.pipe(v.string(), about("origin registered at the identity provider"))),
  session_cookie_secure: v.optional(
    v.pipe(
      v.union(
        [oneOf(["auto", "true", "false"]), v.pipe(v.boolean(), v.transform(String))],
        "must be one of auto, true, false",
      ),
      form("`auto`, `true`, `false`"),
      about("Secure mark of the session cookie; `auto`: when public_url is https"),
    ),
    "auto",
  ),
  credential_encryption_key: v.optional(
    v.pipe(v.string(), about("base64 of 32 bytes; absent: the environment variable `SERVICE_CRED_KEY`")),
  ),
  oauth: v.optional(v.pipe(OAuth, about("the identity provider"))),
  access: v.optional(v.pipe(Access, about("which groups may use which servers; absent: everybody may use all"))),
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
