import { part } from "../app.ts";
import type { Caller, Scope } from "../schema/caller.ts";
import type { UserRow } from "../schema/user.ts";

/** The parts of a request by which a user can be identified. */
export interface UserRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  /** The scheme of the request, as a trusted reverse proxy reports it. */
  readonly proto: "http" | "https" | undefined;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Authenticates users and determines their scope. It only reads memory, because every request passes through it. */
interface CallerSource {
  /**
   * Finds the user with a browser's cookie. @returns `elsewhere` for a request with a valid cookie that changes
   * something but does not come from the panel's pages
   */
  ofBrowser(sent: UserRequest): Caller | "elsewhere" | undefined;
  /** Returns the user of a bearer token; undefined for any other token. */
  ofBearer(token: string, path: string): Caller | undefined;
  /** Returns the same user with the current rights; undefined if the sign-in has ended or the user has lost access. */
  refreshed(caller: Caller): Caller | undefined;
  /** True if the owner of an agent token has access. */
  admits(user: UserRow): boolean;
  /** Returns the current scope of an agent token's owner. */
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
