import { part } from "../app.ts";

/** True if other replicas may continue the MCP sessions of this one, because they share its store. */
export const sharesSessions = part("sharesSessions", () => false);
