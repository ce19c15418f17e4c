import type { McpObject } from "../schema/mcp.ts";
import type { SessionOrigin } from "../verbs/sessions/record.ts";
import type { McpMode } from "./mount.ts";

/** What a session begins with. */
export interface SessionOpening extends SessionOrigin {
  readonly capabilities?: McpObject;
  readonly isAppHost?: boolean;
  readonly mode: McpMode;
  readonly revision: string;
}
