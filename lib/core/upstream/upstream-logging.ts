import { DEFAULT_MESSAGE_LEVEL, type LogMessage, type MessageLevel } from "../schema/log-message.ts";

/** A log message of a server that belongs to no request. */
export interface ServerLogMessage {
  readonly server: string;
  /** The user whose own connection it came over; absent for the connection that everybody shares. */
  readonly user?: string;
  readonly message: LogMessage;
}

/** What all connections know of the clients that read log messages. */
export interface UpstreamLogging {
  /** The lowest level that a client asked for; undefined while none did. */
  readonly level: MessageLevel | undefined;
  /** @returns what ends the subscription */
  subscribe(listener: (message: ServerLogMessage) => void): () => void;
  publish(message: ServerLogMessage): void;
  /** @param changed called for each connection */
  setLevel(level: MessageLevel | undefined): void;
}

/** @param levelChanged tells the connections */
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
      // There is no way to take a level back at a server.
      const next = level ?? (current === undefined ? undefined : DEFAULT_MESSAGE_LEVEL);
      if (next === current) return;
      current = next;
      levelChanged();
    },
  };
}
