import type { Clock } from "../base/clock.ts";
import { isMessageLevel, type LogMessage } from "../schema/log-message.ts";
import type { McpObject } from "../schema/mcp.ts";
import { jsonSize, maskTexts } from "./protocol/bounded-error.ts";

interface LogIntakeOptions {
  readonly clock: Clock;
  /** Replaces the secrets of the server's definition in a text. */
  readonly mask: (text: string) => string;
  /** Writes a line to the server's log. */
  fault(line: string): void;
}

/** Maximum number of messages of one server in one window, and their maximum total size. */
const MAX_MESSAGES = 100;
const MAX_TOTAL_SIZE = 256 * 1024;
const WINDOW_MS = 1000;

/** Maximum size of one message: the characters of its texts and names, plus one for each value. */
const MAX_DATA_SIZE = 16 * 1024;
const MAX_DATA_DEPTH = 32;
const MAX_LOGGER = 128;

/** Replaces data that is too large or nested too deep. */
const LEFT_OUT = {
  "proxy/left_out": `the data of this message is larger than ${MAX_DATA_SIZE} characters or too deep`,
};

/** Checks and limits the log messages of one server, and masks the secrets of its definition. */
export class LogIntake {
  private readonly options: LogIntakeOptions;
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  private size = 0;

  constructor(options: LogIntakeOptions) {
    this.options = options;
  }

  /**
   * @param params of `notifications/message`
   * @returns undefined for an invalid message, and for one that exceeds the limits
   */
  take({ level, logger, data }: McpObject): LogMessage | undefined {
    if (!isMessageLevel(level) || data === undefined) return undefined;
    const left = jsonSize(data, MAX_DATA_SIZE, MAX_DATA_DEPTH);
    if (!this.isWithin(MAX_DATA_SIZE - Math.max(0, left))) return undefined;
    const { mask } = this.options;
    return {
      level,
      ...(typeof logger === "string" && { logger: mask(logger.slice(0, MAX_LOGGER)) }),
      data: left < 0 ? LEFT_OUT : maskTexts(data, mask),
    };
  }

  /** True if a message of this size is within the limits. The first dropped message of a window is reported. */
  private isWithin(next: number): boolean {
    const now = this.options.clock.now();
    if (now - this.since >= WINDOW_MS) {
      this.since = now;
      this.count = 0;
      this.size = 0;
    }
    const wasWithin = this.count < MAX_MESSAGES && this.size < MAX_TOTAL_SIZE;
    this.count++;
    this.size += next;
    if (this.count <= MAX_MESSAGES && this.size <= MAX_TOTAL_SIZE) return true;
    if (wasWithin)
      this.options.fault(
        `it writes more log messages than ${MAX_MESSAGES} or ${MAX_TOTAL_SIZE} characters in a second`,
      );
    return false;
  }
}
