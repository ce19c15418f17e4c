/** The kinds of operation of a tool, as derived from its annotations, and of the calls that an agent token allows. */
export type Permission = "read" | "write" | "destructive";

/** The listener that accepted a request. The listener sets it; no header can claim it. */
export type ListenerKind = "tcp" | "socket" | "stdio" | "internal";

/**
 * With this header `proxy bridge` gives up the administrator's rights of the local socket, because a model decides what
 * the bridge sends. The request then has the rights of its agent token or, without one, those of an anonymous caller.
 */
export const BRIDGE_HEADER = "x-proxy-bridge";

/** The servers and permissions of a caller. `all` means no limit of that kind. */
export interface Scope {
  readonly servers: "all" | ReadonlySet<string>;
  readonly permissions: "all" | ReadonlySet<Permission>;
  /** The profile that narrowed this scope, if any. */
  readonly profile?: string;
}

/**
 * The authenticated sender of a request, determined once, on arrival, from its listener and its credential.
 *
 * - `admin`: the API key, the local socket, or this process itself
 * - `agent`: an agent token
 * - `user`: a signed-in user of the multi-user edition
 * - `anonymous`: nobody. On `/mcp` without `require_mcp_auth` an anonymous caller may use servers, and from this machine
 *   also manage them for compatibility, but never lifts a quarantine, confirms, approves, trusts, or reads an unmasked
 *   value (spec 000 §2.9).
 */
export interface Caller {
  readonly tier: "admin" | "agent" | "user" | "anonymous";
  /** The name in records and messages: `admin`, the token's name, the user's address, `anonymous`. */
  readonly name: string;
  readonly listener: ListenerKind;
  readonly scope: Scope;
  /** Set for an anonymous caller that may be on another machine: it cannot manage anything. */
  readonly remote?: true;
  /** The user in the multi-user edition: the one signed in, or the owner of the agent token. */
  readonly user?: Person;
  /** The browser session (`store.signIns`), if a cookie identified the caller. */
  readonly signIn?: string;
}

/**
 * A user of the multi-user edition and the credential by which the user was identified. Times are milliseconds since
 * the epoch.
 */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** The credential: a browser's cookie, a bearer token for REST, or an agent token of the user. */
  readonly by: "session" | "bearer" | "token";
  /** Id of the browser session. */
  readonly session?: string;
  /** When this credential was last confirmed by the identity provider. */
  readonly signedInAt: number;
  readonly issuedAt: number;
  /** When the credential expires. */
  readonly until: number;
}

/**
 * Returns the name of a caller in records. For the agent token of a user this is the user's address and the token's
 * name.
 */
export function actorName({ name, user }: Caller): string {
  return user?.by === "token" ? `${user.email}/${name.slice(name.indexOf("/") + 1)}` : name;
}

export const FULL_SCOPE: Scope = { servers: "all", permissions: "all" };

/** The caller of actions that the program itself starts: at start-up, in standalone commands, in tests. */
export const INTERNAL_CALLER: Caller = { tier: "admin", name: "internal", listener: "internal", scope: FULL_SCOPE };

/** A caller without a credential. */
export const ANONYMOUS_CALLER: Caller = { tier: "anonymous", name: "anonymous", listener: "tcp", scope: FULL_SCOPE };

/**
 * A caller without a credential that may be on another machine: its listener is reachable from other machines, or its
 * request came through a reverse proxy or from a foreign web page. It may call tools but manage nothing.
 */
export const REMOTE_ANONYMOUS_CALLER: Caller = { ...ANONYMOUS_CALLER, remote: true };

/** Where a call or change came from; stored in activity records. */
export interface Origin {
  readonly source: "mcp" | "api" | "cli" | "internal";
  readonly requestId: string;
  readonly sessionId?: string;
  /** The request id of the code execution that made this call. */
  readonly parentId?: string;
  readonly client?: { readonly name: string; readonly version: string };
  readonly clientIp?: string;
}

/** A caller and the origin of its action; passed to every verb that changes or records anything. */
export interface Actor {
  readonly caller: Caller;
  readonly origin: Origin;
  /** The revisions that the changed server may have (`If-Match`); absent for any. */
  readonly expected?: readonly string[];
}

/** Returns the key that identifies the owner of something which no other caller may use. */
export function ownerKey(caller: Caller): string {
  return `${caller.tier}:${caller.name}`;
}
