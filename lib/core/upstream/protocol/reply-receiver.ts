import type { Reply } from "../../schema/mcp.ts";

/** Receives the outcome of one request: exactly one of its methods is called, once. */
export interface ReplyReceiver {
  done(reply: Reply): void;
  fail(error: Error): void;
}
