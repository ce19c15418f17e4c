import type { LogMessage } from "../../schema/log-message.ts";
import type { McpObject } from "../../schema/mcp.ts";

/** Callbacks by which an exchange notifies its owner. */
export interface ExchangeHooks {
  /** Called with a notification of the upstream that belongs to no single request. */
  notification(method: string, params: McpObject): void;
  /** Called when the upstream has disconnected. */
  closed(error: Error): void;
  /** Called when the upstream no longer knows its session; `generation` is the number of the session in the request. */
  sessionLost(generation: number): void;
  /** Called when the stream of messages that belong to no request is open again; notifications may have been missed. */
  resumed(): void;
  /** Called with a description of a protocol violation, for the server's log. */
  fault(line: string): void;
  /** Checks and limits a log message of the upstream; undefined if it is dropped. */
  logged?(params: McpObject): LogMessage | undefined;
  /** Called with a log message that belongs to no request. */
  loggedForAll?(message: LogMessage): void;
  /** Called when the upstream asked a question without naming its request. */
  askedOnSharedChannel?(): void;
}
