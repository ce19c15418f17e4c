import { type App, part } from "../app.ts";
import { isAtLeast, type MessageLevel } from "../schema/log-message.ts";

/** The log levels that sessions set. Servers with protocol versions up to 2025-11-25 are set to the lowest of them. */
interface LogLevels {
  set(session: object, level: MessageLevel): void;
  /** Call when the session has ended. */
  end(session: object): void;
}

/** The levels of log messages that clients of this App requested. */
export const logLevels = part("logLevels", createLogLevels);

function createLogLevels({ upstreams }: App): LogLevels {
  const levels = new Map<object, MessageLevel>();
  const apply = () => {
    let lowest: MessageLevel | undefined;
    for (const level of levels.values()) if (!lowest || isAtLeast(lowest, level)) lowest = level;
    upstreams.logging.setLevel(lowest);
  };
  return {
    set(session, level) {
      levels.set(session, level);
      apply();
    },
    end(session) {
      if (levels.delete(session)) apply();
    },
  };
}
