import { DEFAULT_MESSAGE_LEVEL, type LogMessage, type MessageLevel } from "../schema/log-message.ts";

/** A log message of a server that belongs to no request. */
export interface ServerLogMessage {
  readonly server: string;
  /** Id of the user whose connection it came over; absent for the shared connection. */
  readonly user?: string;
  readonly message: LogMessage;
}

/** What connections need to know about the clients that read log messages. */
export interface UpstreamLogging {
  /** The lowest level that a client requested; undefined if none did. */
  readonly level: MessageLevel | undefined;
  /** Subscribes to log messages that belong to no request. @returns a function that ends the subscription */
  subscribe(listener: (message: ServerLogMessage) => void): () => void;
  publish(message: ServerLogMessage): void;
  /** Sets the level that clients request. */
  setLevel(level: MessageLevel | undefined): void;
}

/**
 * Makes the log messages of all upstreams available. @param levelChanged called when the level has changed, to notify
 * the connections
 */
export function createUpstreamLogging(levelChanged: () => void): UpstreamLogging {
  const listeners = new Set<(message: ServerLogMessage) => void>();
  let current: MessageLevel | undefined;
  return {
    get level() {
      return current;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(message) {
      for (const listener of listeners) listener(message);
    },
    setLevel(level) {
      // The protocol has no request to reset a level at a server, so the default is set.
      const next = level ?? (current === undefined ? undefined : DEFAULT_MESSAGE_LEVEL);
      if (next === current) return;
      current = next;
      levelChanged();
    },
  };
}
