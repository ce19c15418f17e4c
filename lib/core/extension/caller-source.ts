import { part } from "../app.ts";
import type { Caller, Scope } from "../schema/caller.ts";
import type { UserRow } from "../schema/user.ts";

/** What a request shows of its sender, besides a key or an agent token. */
export interface UserRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  /** As a trusted proxy says. */
  readonly proto: "http" | "https" | undefined;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Callers that are users: who they are, and what they reach. Asks memory only, since every request comes by here. */
interface CallerSource {
  /** @returns `elsewhere` where the cookie is good but nothing says that a page of ours sent what changes something */
  ofBrowser(sent: UserRequest): Caller | "elsewhere" | undefined;
  /** The user who shows this bearer token; undefined also for a token of another kind. */
  ofBearer(token: string, path: string): Caller | undefined;
  /** The same person at a later moment; undefined when the sign-in is over or the user may not come in any more. */
  refreshed(caller: Caller): Caller | undefined;
  /** Whether the owner of an agent token may come in. */
  admits(user: UserRow): boolean;
  /** What the owner of an agent token reaches at this moment. */
  scopeOf(user: UserRow): Pick<Scope, "servers">;
}

/** There are no users, until a module provides them. */
export const callerSource = part<CallerSource>("callerSource", () => ({
  ofBrowser: () => undefined,
  ofBearer: () => undefined,
  refreshed: () => undefined,
  admits: () => false,
  scopeOf: () => ({ servers: new Set<string>() }),
}));
