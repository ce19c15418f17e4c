import type { Caller } from "../schema/caller.ts";
import type { McpMode } from "./mount.ts";

/** Whose list it is. */
export interface ListAudience {
  readonly mode: McpMode;
  readonly caller: Caller;
  /** The client shows apps (MCP Apps). */
  readonly isAppHost?: boolean;
  /** The client speaks a version of the 2025 family. */
  readonly isOlder?: boolean;
}
