import * as v from "valibot";
import { ServerRecord } from "./server-record.ts";

const about = v.description;
const Role = v.picklist(["admin", "user"]);

/** The signed-in user (reference 12.1). */
export const Me = v.object({
  id: v.string(),
  email: v.string(),
  display_name: v.string(),
  role: Role,
  provider: v.string(),
});
export type Me = v.InferOutput<typeof Me>;

/** A user in the list for administrators. */
export const UserEntry = v.object({
  ...Me.entries,
  groups: v.pipe(v.array(v.string()), about("groups of the user at the last sign-in")),
  servers: v.pipe(v.array(v.string()), about("names of the servers that the user may use")),
  created_at: v.string(),
  last_login_at: v.string(),
  disabled: v.boolean(),
  active_sessions: v.number(),
  tokens: v.pipe(v.number(), about("number of agent tokens of the user")),
});
export type UserEntry = v.InferOutput<typeof UserEntry>;

/** One browser session of a user. */
export const UserSessionEntry = v.object({
  id: v.string(),
  user_id: v.string(),
  email: v.string(),
  created_at: v.string(),
  expires_at: v.string(),
  user_agent: v.optional(v.string()),
  ip_address: v.optional(v.string()),
  current: v.optional(v.pipe(v.boolean(), about("session of this request"))),
});
export type UserSessionEntry = v.InferOutput<typeof UserSessionEntry>;

/** A server as one user sees it. */
export const UserServer = v.object({
  ...ServerRecord.entries,
  ownership: v.pipe(v.literal("shared"), about("always the operator, who owns every server")),
  user_enabled: v.pipe(v.boolean(), about("false: the user has disabled the server for themselves")),
});
export type UserServer = v.InferOutput<typeof UserServer>;

/** The state of the user's sign-in at a shared server; never a token (reference 12.1). */
export const CredentialEntry = v.object({
  server: v.string(),
  mode: v.picklist(["oauth_connect", "id_jag"]),
  status: v.pipe(
    v.picklist(["connected", "automatic", "expired", "not_connected", "unavailable"]),
    about(
      "automatic: the user's next call signs in through the identity provider; unavailable: the proxy has no credential_encryption_key, so it cannot store a sign-in",
    ),
  ),
  connect_path: v.pipe(v.string(), about("URL at which a browser signs in")),
  reason: v.optional(v.pipe(v.string(), about("why the last sign-in failed or is not sufficient, and what to do"))),
  token_type: v.optional(v.string()),
  scopes: v.optional(v.array(v.string())),
  issuer: v.optional(v.string()),
  obtained_via: v.optional(v.string()),
  expires_at: v.optional(v.string()),
});
export type CredentialEntry = v.InferOutput<typeof CredentialEntry>;
