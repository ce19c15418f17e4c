/** What a tool may do, by its own annotations, and what an agent token may be granted. */
export type Permission = "read" | "write" | "destructive";

/** Which listener a request came in by. The listener itself says so; no header can claim it. */
export type ListenerKind = "tcp" | "socket" | "stdio" | "internal";

/** What somebody may reach. `all` for a set means no limit of that kind. */
export interface Scope {
  readonly servers: "all" | ReadonlySet<string>;
  readonly permissions: "all" | ReadonlySet<Permission>;
  /** The profile this scope was narrowed by, where one applies. */
  readonly profile?: string;
}

/**
 * Who is asking, decided once at the door from the listener and the credential shown.
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
  /** For records and messages: `admin`, the token's name, the user's address, `anonymous`. */
  readonly name: string;
  readonly listener: ListenerKind;
  readonly scope: Scope;
  /** Anonymous, and not known to be on this machine: manages nothing. */
  readonly remote?: true;
  /** The person behind it in the multi-user edition: who is signed in, or who an agent token belongs to. */
  readonly user?: Person;
  /** The sign-in of the browser that asks (`store.signIns`), where a cookie says who it is. */
  readonly signIn?: string;
}

/** A user of the multi-user edition, and by what they are known. Times are milliseconds since the epoch. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** A browser's cookie, a bearer token for REST, or an agent token of theirs. */
  readonly by: "session" | "bearer" | "token";
  /** The browser's session. */
  readonly session?: string;
  /** When they were last seen by the identity provider, as far as this credential knows. */
  readonly signedInAt: number;
  readonly issuedAt: number;
  /** When the credential ends. */
  readonly until: number;
}

/** How records name a caller; a user's agent by the user's address and the name the token was given. */
export function actorName({ name, user }: Caller): string {
  return user?.by === "token" ? `${user.email}/${name.slice(name.indexOf("/") + 1)}` : name;
}

export const FULL_SCOPE: Scope = { servers: "all", permissions: "all" };

/** The program acting for itself: boot, command line in standalone mode, tests. */
export const INTERNAL_CALLER: Caller = { tier: "admin", name: "internal", listener: "internal", scope: FULL_SCOPE };

/** Somebody who showed no credential. */
export const ANONYMOUS_CALLER: Caller = { tier: "anonymous", name: "anonymous", listener: "tcp", scope: FULL_SCOPE };

/**
 * Somebody who showed no credential and may not be on this machine: the request came by a listener that others reach,
 * through a reverse proxy, or from a foreign web page. May call tools, and manages nothing.
 */
export const REMOTE_ANONYMOUS_CALLER: Caller = { ...ANONYMOUS_CALLER, remote: true };

/** Where a call or change came from; kept in activity records. */
export interface Origin {
  readonly source: "mcp" | "api" | "cli" | "internal";
  readonly requestId: string;
  readonly sessionId?: string;
  /** The request id of the code execution this is a part of. */
  readonly parentId?: string;
  readonly client?: { readonly name: string; readonly version: string };
  readonly clientIp?: string;
}

/** Who does something, and from where: handed to every verb that changes or records anything. */
export interface Actor {
  readonly caller: Caller;
  readonly origin: Origin;
  /** Revisions of which the one server that a request changes must have one; absent: any (`If-Match`). */
  readonly expected?: readonly string[];
}
