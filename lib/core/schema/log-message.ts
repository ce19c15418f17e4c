/** Severities of the log messages that servers send to clients, least severe first (RFC 5424, MCP logging). */
export const MESSAGE_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type MessageLevel = (typeof MESSAGE_LEVELS)[number];

/** The minimum severity for clients that did not set one. */
export const DEFAULT_MESSAGE_LEVEL: MessageLevel = "info";

/** The params of `notifications/message`. */
export interface LogMessage {
  readonly level: MessageLevel;
  /** Name of the part of the server that wrote the message. */
  readonly logger?: string;
  readonly data: unknown;
}

/** Receives the log messages of one request. */
export interface LogReceiver {
  /** Messages below this level are not delivered. */
  readonly level: MessageLevel;
  receive(message: LogMessage): void;
}

/** True for a level of MCP log messages (RFC 5424 keywords). */
export function isMessageLevel(value: unknown): value is MessageLevel {
  return MESSAGE_LEVELS.some((level) => level === value);
}

/** True if a message of `level` is as severe as `least` or more severe. */
export function isAtLeast(level: MessageLevel, minimum: MessageLevel): boolean {
  return MESSAGE_LEVELS.indexOf(level) >= MESSAGE_LEVELS.indexOf(minimum);
}
