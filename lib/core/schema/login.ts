import * as v from "valibot";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** What beginning a sign-in answers: OAuthStartResponse of spec 000 §4.2. */
export const LoginStarted = v.object({
  success: v.literal(true),
  server_name: v.string(),
  correlation_id: v.pipe(v.string(), about("by which log and answers of this sign-in belong together")),
  auth_url: v.pipe(v.string(), about("to be opened in a browser, once; good for 10 minutes")),
  browser_opened: v.boolean(),
  browser_error: text("why it was not"),
  message: v.string(),
});
export type LoginStarted = v.InferOutput<typeof LoginStarted>;

const SIGN_IN_STATES = ["none", "pending", "signed_in", "expired", "failed", "signed_out"] as const;

/** How the sign-in at one server stands. */
export const LoginStatus = v.object({
  server_name: v.string(),
  state: v.pipe(
    v.picklist(SIGN_IN_STATES),
    about("`pending` while a person is at it; `failed` when the last attempt did and there is no other"),
  ),
  renewable: v.pipe(v.boolean(), about("the token is renewed by itself")),
  issuer: text("the sign-in server"),
  client_id: text("what this program is called there"),
  scopes: v.optional(v.pipe(v.array(v.string()), about("what was granted"))),
  missing_scopes: v.optional(v.pipe(v.array(v.string()), about("what requests lacked; the next sign-in asks for it"))),
  expires_at: text("when the present token ends"),
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
  retry: v.optional(v.pipe(v.object({ at: v.string(), reason: v.string() }), about("the last renewal failed"))),
  ended: text("why it is not renewed any more"),
});
export type LoginStatus = v.InferOutput<typeof LoginStatus>;

const Look = v.object({
  found: v.boolean(),
  urls_checked: v.array(v.string()),
  error: text("why not"),
});

/** A sign-in that failed (spec 000 §7). */
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
  details: v.object({
    server_url: v.string(),
    metadata: v.object({
      protected_resource: v.object({ ...Look.entries, authorization_servers: v.optional(v.array(v.string())) }),
      authorization_server: v.object({ ...Look.entries, issuer: v.optional(v.string()) }),
    }),
    dcr: v.object({
      attempted: v.boolean(),
      success: v.boolean(),
      status_code: v.optional(v.number()),
      error: v.optional(v.string()),
    }),
  }),
  debug_hint: v.string(),
});
