import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import type { Upstream } from "../upstream/upstreams.ts";

/** How a server that everybody signs in to themselves is for one user: their sign-in, and their connection. */
export interface UserConnectionState {
  readonly signIn: UpstreamSignIn;
  readonly status: ConnectionStatus;
}

/** Connections that belong to one user, at servers that each user signs in to. */
interface UserConnections {
  /** Whether calls of this caller go over a connection of their own. */
  connectsAlone(caller: Caller, server: string): boolean;
  /** The state of that connection; undefined where the caller uses the one that everybody shares. */
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

/** Everybody shares one connection for each server, until a module says otherwise. */
export const userConnections = part<UserConnections>("userConnections", () => ({
  connectsAlone: () => false,
  stateOf: () => undefined,
  connect: () => Promise.reject(new Error("no connection belongs to a single user")),
  signInPage: () => "",
}));
