import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import type { Upstream } from "../upstream/upstreams.ts";

/** The state of one user's sign-in and connection at a server that each user signs in to. */
export interface UserConnectionState {
  readonly signIn: UpstreamSignIn;
  readonly status: ConnectionStatus;
}

/** Connections of single users, at servers that each user signs in to. */
interface UserConnections {
  /** Whether this caller's calls use a connection of their own. */
  connectsAlone(caller: Caller, server: string): boolean;
  /** The state of that connection; undefined if the caller uses the shared one. */
  stateOf(caller: Caller, server: string): UserConnectionState | undefined;
  /**
   * The connection, once it stands.
   *
   * @throws Fault user_connect_needed, server_not_ready
   */
  connect(caller: Caller, server: string, signal: AbortSignal): Promise<Upstream>;
  /** The page where a user signs in at a server. */
  signInPage(): string;
}

/** All callers share one connection per server unless a module provides otherwise. */
export const userConnections = part<UserConnections>("userConnections", () => ({
  connectsAlone: () => false,
  stateOf: () => undefined,
  connect: () => Promise.reject(new Error("no connection belongs to a single user")),
  signInPage: () => "",
}));
