import type { MessageLevel } from "../schema/log-message.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import type { RequestOptions } from "./upstreams.ts";

/** Timeout of the request that sets a level. (ms) */
const TIMEOUT_MS = 10_000;

/** Sets the log level of one connection (up to 2025-11-25) to the one that clients want. */
interface ServerLogLevel {
  /** Call when the wanted level or the connection has changed. */
  changed(): void;
}

interface ServerLogLevelOptions {
  /** Returns a function to send requests; undefined if there is no connection whose level can be set. */
  send(): ((method: string, params: McpObject, options: RequestOptions) => Promise<Reply>) | undefined;
  wanted(): MessageLevel | undefined;
  fault(line: string): void;
}

/** Sends one request at a time, even if the level changes several times. */
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
