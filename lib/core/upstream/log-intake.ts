import type { Clock } from "../base/clock.ts";
import { isMessageLevel, type LogMessage } from "../schema/log-message.ts";
import type { McpObject } from "../schema/mcp.ts";
import { jsonSize, maskTexts } from "./protocol/bounded-error.ts";

interface LogIntakeOptions {
  readonly clock: Clock;
  /** Replaces the secrets of the server's definition in a text. */
  mask(text: string): string;
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

/**
 * Returns a function that checks and limits the log messages of one server, and masks the secrets of its definition.
 *
 * @returns a function that takes the params of `notifications/message`; its result is undefined for an invalid message,
 *   and for one that exceeds the limits
 */
export function createLogIntake({
  clock,
  mask,
  fault,
}: LogIntakeOptions): (params: McpObject) => LogMessage | undefined {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  let size = 0;

  /** True if a message of this size is within the limits. The first dropped message of a window is reported. */
  const isWithin = (next: number): boolean => {
    const now = clock.now();
    if (now - since >= WINDOW_MS) {
      since = now;
      count = 0;
      size = 0;
    }
    const wasWithin = count < MAX_MESSAGES && size < MAX_TOTAL_SIZE;
    count++;
    size += next;
    if (count <= MAX_MESSAGES && size <= MAX_TOTAL_SIZE) return true;
    if (wasWithin)
      fault(`it writes more log messages than ${MAX_MESSAGES} or ${MAX_TOTAL_SIZE} characters in a second`);
    return false;
  };

  return ({ level, logger, data }) => {
    if (!isMessageLevel(level) || data === undefined) return undefined;
    const left = jsonSize(data, MAX_DATA_SIZE, MAX_DATA_DEPTH);
    if (!isWithin(MAX_DATA_SIZE - Math.max(0, left))) return undefined;
    return {
      level,
      ...(typeof logger === "string" && { logger: mask(logger.slice(0, MAX_LOGGER)) }),
      data: left < 0 ? LEFT_OUT : maskTexts(data, mask),
    };
  };
}
