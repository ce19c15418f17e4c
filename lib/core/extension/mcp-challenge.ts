import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";

/** A rejected request at an MCP endpoint. */
export interface RejectedMcpRequest {
  /** The path of the endpoint. */
  readonly path: string;
  /** Scheme and host that the client used, if they are known. */
  readonly proto: "http" | "https" | undefined;
  readonly host: string | undefined;
  /** True if the client sent a credential that is not valid. */
  readonly isInvalid: boolean;
}

/** Tells rejected MCP clients how to get a credential. Both functions return a value of `WWW-Authenticate`. */
interface McpChallenge {
  /** For a 401. */
  forRequest(request: RejectedMcpRequest): string;
  /**
   * For a 403, if the caller's client can ask a person for more.
   *
   * @param permission the missing permission, or two as `a" and "b`
   */
  forMissing(caller: Caller, permission: string): string | undefined;
}

/** A client can only be given a credential by a person, unless a module provides a sign-in. */
export const mcpChallenge = part<McpChallenge>("mcpChallenge", () => ({
  forRequest: () => 'Bearer realm="proxy"',
  forMissing: () => undefined,
}));
