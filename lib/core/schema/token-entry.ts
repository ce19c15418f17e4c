import * as v from "valibot";

const about = v.description;

/** One agent token in a list, without its secret (reference 1.6). */
export const TokenEntry = v.object({
  name: v.string(),
  token_prefix: v.pipe(v.string(), about("first characters of the token, to recognise it")),
  allowed_servers: v.pipe(v.array(v.string()), about("names of servers; `*`: all")),
  permissions: v.pipe(
    v.array(v.picklist(["read", "write", "destructive"])),
    about("permissions; none implies another"),
  ),
  created_at: v.string(),
  expires_at: v.string(),
  last_used_at: v.optional(v.string()),
  expired: v.boolean(),
  revoked: v.boolean(),
  profile_pin: v.optional(v.pipe(v.string(), about("profile to which the token is pinned"))),
  client: v.optional(
    v.pipe(
      v.object({
        id: v.pipe(v.string(), about("`client_id`")),
        name: v.pipe(v.string(), about("name that the client states")),
        host: v.optional(v.pipe(v.string(), about("host that proves the client's identity; absent: nothing does"))),
      }),
      about("client that got the token by a sign-in, and renews its secret by itself"),
    ),
  ),
  owner: v.optional(v.pipe(v.string(), about("email address of the token's user, in the multi-user edition"))),
});
export type TokenEntry = v.InferOutput<typeof TokenEntry>;

/** A new token with its secret, which is shown only in this response. */
export const IssuedToken = v.object({
  ...TokenEntry.entries,
  token: v.pipe(v.string(), about("secret value; shown only once")),
});
export type IssuedToken = v.InferOutput<typeof IssuedToken>;

/** Names that no token may have, because activity records use them for other callers. */
const TAKEN: readonly string[] = ["admin", "anonymous", "internal", "stdio"];

/** The request body for creating a token. */
export const NewToken = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/,
      "must be 1 to 64 letters, digits, - or _, and begin with a letter or digit",
    ),
    v.check((name) => !TAKEN.includes(name), `must not be one of ${TAKEN.join(", ")}`),
  ),
  allowed_servers: v.optional(
    v.pipe(v.array(v.string()), v.minLength(1, "must name a server, or `*` for all"), about("default: all")),
  ),
  permissions: v.optional(
    v.pipe(
      v.array(v.picklist(["read", "write", "destructive"], "must be read, write or destructive")),
      v.check((list) => list.includes("read"), "must include read"),
      about("default: read"),
    ),
  ),
  expires_in: v.optional(
    v.pipe(v.string(), about("lifetime, such as 30d or 12h: more than 0, at most 365d; default 30d")),
  ),
  profile_pin: v.optional(v.pipe(v.string(), about("profile to pin the token to"))),
});
export type NewToken = v.InferOutput<typeof NewToken>;

/**
 * The request body by which an administrator creates a token, and can require a token from every client in the same
 * step.
 */
export const NewAgentToken = v.strictObject({
  ...NewToken.entries,
  require_auth: v.optional(
    v.pipe(
      v.boolean(),
      about("also set `require_mcp_auth: true`, so that the proxy rejects clients without a credential"),
    ),
  ),
});
export type NewAgentToken = v.InferOutput<typeof NewAgentToken>;

/** The response to an administrator who creates a token. */
export const IssuedAgentToken = v.object({
  ...IssuedToken.entries,
  notice: v.optional(v.pipe(v.string(), about("warning while `/mcp` accepts clients without a credential"))),
});
export type IssuedAgentToken = v.InferOutput<typeof IssuedAgentToken>;
