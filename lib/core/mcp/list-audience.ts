import type { Caller } from "../schema/caller.ts";
import type { McpMode } from "./mount.ts";

/** The caller for whom a list is made. */
export interface ListAudience {
  readonly mode: McpMode;
  readonly caller: Caller;
  /** True if the client shows apps (MCP Apps). */
  readonly isAppHost?: boolean;
  /** True if the client uses a protocol version up to 2025-11-25. */
  readonly isOlder?: boolean;
}
