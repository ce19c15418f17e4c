import * as v from "valibot";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** The response to starting a sign-in: OAuthStartResponse of spec 000 §4.2. */
export const LoginStarted = v.object({
  success: v.literal(true),
  server_name: v.string(),
  correlation_id: v.pipe(v.string(), about("id that links the log lines and responses of this sign-in")),
  auth_url: v.pipe(v.string(), about("URL to open in a browser; valid once, for 10 minutes")),
  browser_opened: v.boolean(),
  browser_error: text("reason why no browser was opened"),
  message: v.string(),
});
export type LoginStarted = v.InferOutput<typeof LoginStarted>;

const SIGN_IN_STATES = ["none", "pending", "signed_in", "expired", "failed", "signed_out"] as const;

/** The state of the sign-in at one server. */
export const LoginStatus = v.object({
  server_name: v.string(),
  state: v.pipe(
    v.picklist(SIGN_IN_STATES),
    about("`pending` while a person signs in; `failed` if the last attempt failed and there is no token"),
  ),
  renewable: v.pipe(v.boolean(), about("the proxy renews the token automatically")),
  issuer: text("issuer of the sign-in server"),
  client_id: text("client id of the proxy"),
  scopes: v.optional(v.pipe(v.array(v.string()), about("granted scopes"))),
  missing_scopes: v.optional(
    v.pipe(v.array(v.string()), about("scopes that requests lacked; the next sign-in requests them")),
  ),
  expires_at: text("expiry of the current token"),
  pending: v.optional(v.object({ expires_at: v.string(), correlation_id: v.string() })),
  failure: v.optional(
    v.object({
      error_type: v.string(),
      message: v.string(),
      suggestion: v.string(),
      correlation_id: v.string(),
      at: v.string(),
    }),
  ),
  retry: v.optional(v.pipe(v.object({ at: v.string(), reason: v.string() }), about("the last token renewal failed"))),
  ended: text("reason why the token is no longer renewed"),
});
export type LoginStatus = v.InferOutput<typeof LoginStatus>;

const MetadataCheck = v.object({
  found: v.boolean(),
  urls_checked: v.array(v.string()),
  error: v.exactOptional(v.pipe(v.string(), about("reason"))),
});

/** The steps that were tried to start a sign-in (spec 000 §7: `details`). */
export const LoginDiagnostics = v.object({
  server_url: v.string(),
  metadata: v.object({
    protected_resource: v.object({
      ...MetadataCheck.entries,
      authorization_servers: v.exactOptional(v.array(v.string())),
    }),
    authorization_server: v.object({ ...MetadataCheck.entries, issuer: v.exactOptional(v.string()) }),
  }),
  dcr: v.object({
    attempted: v.boolean(),
    success: v.boolean(),
    status_code: v.exactOptional(v.number()),
    error: v.exactOptional(v.string()),
  }),
});
export type LoginDiagnostics = v.InferOutput<typeof LoginDiagnostics>;

/** The response if a sign-in failed (spec 000 §7). */
export const LoginRefused = v.object({
  success: v.literal(false),
  error: v.pipe(v.string(), about("message and suggestion")),
  code: v.string(),
  error_type: v.picklist([
    "client_id_required",
    "dcr_failed",
    "metadata_discovery_failed",
    "code_flow_failed",
    "oauth_not_supported",
  ]),
  server_name: v.string(),
  message: v.string(),
  suggestion: v.string(),
  correlation_id: v.string(),
  request_id: v.string(),
  details: LoginDiagnostics,
  debug_hint: v.string(),
});
