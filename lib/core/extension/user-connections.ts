import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import type { Upstream } from "../upstream/upstreams.ts";

/** The state of one user's sign-in and connection at a server to which each user signs in separately. */
export interface UserConnectionState {
  readonly signIn: UpstreamSignIn;
  readonly status: ConnectionStatus;
}

/** Connections for single users, at servers to which each user signs in separately. */
interface UserConnections {
  /** True if the calls of this caller use a separate connection. */
  connectsAlone(caller: Caller, server: string): boolean;
  /** Returns the state of the caller's connection; undefined if the caller uses the shared one. */
  stateOf(caller: Caller, server: string): UserConnectionState | undefined;
  /**
   * Returns the caller's connection when it is ready.
   *
   * @throws Fault user_connect_needed, server_not_ready
   */
  connect(caller: Caller, server: string, signal: AbortSignal): Promise<Upstream>;
  /** Returns the URL of the page on which a user signs in to a server. */
  signInPage(): string;
}

/** All callers share one connection per server unless a module provides otherwise. */
export const userConnections = part<UserConnections>("userConnections", () => ({
  connectsAlone: () => false,
  stateOf: () => undefined,
  connect: () => Promise.reject(new Error("no connection belongs to a single user")),
  signInPage: () => "",
}));
