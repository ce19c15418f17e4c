import type { LogMessage } from "../../schema/log-message.ts";
import type { McpObject } from "../../schema/mcp.ts";

/** What the owner of an exchange learns from it. */
export interface ExchangeHooks {
  /** The upstream sent a notification that concerns no single request. */
  notification(method: string, params: McpObject): void;
  /** The upstream is gone. */
  closed(error: Error): void;
  /** The upstream no longer knows its session; `generation` is that of the session which the request named. */
  sessionLost(generation: number): void;
  /** The upstream's own event stream is open again after an interruption; notifications may have been missed. */
  resumed(): void;
  /** A violation of the protocol, for the server's log. */
  fault(line: string): void;
  /** Checks and limits a log message of the upstream; undefined if it is dropped. */
  logged?(params: McpObject): LogMessage | undefined;
  /** A log message that belongs to no request. */
  loggedForAll?(message: LogMessage): void;
  /** The upstream asked a question without naming the request it belongs to. */
  askedOnSharedChannel?(): void;
}
