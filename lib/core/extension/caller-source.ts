import { part } from "../app.ts";
import type { Caller, Scope } from "../schema/caller.ts";
import type { UserRow } from "../schema/user.ts";

/** The parts of a request that identify a user: besides API key and agent token. */
export interface UserRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  /** The scheme that a trusted proxy reports. */
  readonly proto: "http" | "https" | undefined;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Authenticates users and gives their scope. Reads memory only, since every request passes it. */
interface CallerSource {
  /** @returns `elsewhere` for a valid cookie on a changing request that does not come from the panel's own pages */
  ofBrowser(sent: UserRequest): Caller | "elsewhere" | undefined;
  /** The user of a bearer token; undefined also for a token of another kind. */
  ofBearer(token: string, path: string): Caller | undefined;
  /** The same user's present caller; undefined if the sign-in has ended or the user has lost access. */
  refreshed(caller: Caller): Caller | undefined;
  /** Whether the owner of an agent token has access. */
  admits(user: UserRow): boolean;
  /** The present scope of an agent token's owner. */
  scopeOf(user: UserRow): Pick<Scope, "servers">;
}

/** No users by default; a module provides them. */
export const callerSource = part<CallerSource>("callerSource", () => ({
  ofBrowser: () => undefined,
  ofBearer: () => undefined,
  refreshed: () => undefined,
  admits: () => false,
  scopeOf: () => ({ servers: new Set<string>() }),
}));
