import type { MessageLevel } from "../schema/log-message.ts";
import type { Sender } from "./protocol/sender.ts";

/** Timeout of the request that sets a level. (ms) */
const TIMEOUT_MS = 10_000;

/** Sets the log level of one connection (up to 2025-11-25) to the one that clients want. */
interface ServerLogLevel {
  /** Call when the wanted level or the connection has changed. */
  changed(): void;
}

export interface ServerLogLevelOptions {
  /** Returns the sender of requests; undefined if there is no connection whose level can be set. */
  levelSender(): Pick<Sender, "send"> | undefined;
  wantedLevel(): MessageLevel | undefined;
  /** Writes the refusal to the server's log. */
  levelRefused(line: string): void;
}

/** Sends one request at a time, even if the level changes several times. */
export function createServerLogLevel(options: ServerLogLevelOptions): ServerLogLevel {
  return new SerialLogLevel(options);
}

/** A class, because there is one for each server. */
class SerialLogLevel implements ServerLogLevel {
  private readonly options: ServerLogLevelOptions;
  private isBusy = false;
  private isStale = false;

  constructor(options: ServerLogLevelOptions) {
    this.options = options;
  }

  changed(): void {
    this.isStale = true;
    if (this.isBusy) return;
    this.isBusy = true;
    void this.apply().finally(() => {
      this.isBusy = false;
    });
  }

  private async apply(): Promise<void> {
    const { options } = this;
    do {
      this.isStale = false;
      const sender = options.levelSender();
      const level = options.wantedLevel();
      if (!sender || level === undefined) return;
      await sender
        .send("logging/setLevel", { level }, { timeoutMs: TIMEOUT_MS })
        .catch((error: Error) => options.levelRefused(`it did not accept the log level ${level}: ${error.message}`));
    } while (this.isStale);
  }
}
