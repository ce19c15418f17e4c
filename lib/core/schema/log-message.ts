/** Severities of log messages that servers write for clients, least first (RFC 5424, MCP logging). */
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

/** For clients that did not say what they want. */
export const DEFAULT_MESSAGE_LEVEL: MessageLevel = "info";

/** The params of `notifications/message`. */
export interface LogMessage {
  readonly level: MessageLevel;
  /** The part of the server that writes it. */
  readonly logger?: string;
  readonly data: unknown;
}

/** Takes the log messages of one request. */
export interface LogReceiver {
  /** Nothing below it is wanted. */
  readonly level: MessageLevel;
  receive(message: LogMessage): void;
}

export function isMessageLevel(value: unknown): value is MessageLevel {
  return MESSAGE_LEVELS.some((level) => level === value);
}

export function isAtLeast(level: MessageLevel, least: MessageLevel): boolean {
  return MESSAGE_LEVELS.indexOf(level) >= MESSAGE_LEVELS.indexOf(least);
}
