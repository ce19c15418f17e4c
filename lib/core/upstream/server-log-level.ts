import type { MessageLevel } from "../schema/log-message.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import type { RequestOptions } from "./upstreams.ts";

/** How long a server may take to take over a level. (ms) */
const TIMEOUT_MS = 10_000;

/** Keeps the log level of one connection (2025 family) in step with what clients want. */
interface ServerLogLevel {
  /** The level that is wanted, or the connection, is another one. */
  changed(): void;
}

interface ServerLogLevelOptions {
  /** Absent while there is no connection whose level can be set. */
  send(): ((method: string, params: McpObject, options: RequestOptions) => Promise<Reply>) | undefined;
  wanted(): MessageLevel | undefined;
  fault(line: string): void;
}

/** One request at a time, however often the level changes. */
export function createServerLogLevel({ send, wanted, fault }: ServerLogLevelOptions): ServerLogLevel {
  let isBusy = false;
  let isStale = false;

  const apply = async (): Promise<void> => {
    do {
      isStale = false;
      const request = send();
      const level = wanted();
      if (!request || level === undefined) return;
      await request("logging/setLevel", { level }, { timeoutMs: TIMEOUT_MS }).catch((error: Error) =>
        fault(`it did not accept the log level ${level}: ${error.message}`),
      );
    } while (isStale);
  };

  return {
    changed() {
      isStale = true;
      if (isBusy) return;
      isBusy = true;
      void apply().finally(() => {
        isBusy = false;
      });
    },
  };
}
