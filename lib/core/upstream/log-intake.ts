import type { Clock } from "../base/clock.ts";
import { isMessageLevel, type LogMessage } from "../schema/log-message.ts";
import type { McpObject } from "../schema/mcp.ts";
import { jsonSize, maskTexts } from "./protocol/bounded-error.ts";

interface LogIntakeOptions {
  readonly clock: Clock;
  /** Replaces the secrets of the server's definition in a text. */
  mask(text: string): string;
  /** A line for the server's own log. */
  fault(line: string): void;
}

/** Messages of one server in one window, and the size of all of them. */
const MAX_MESSAGES = 100;
const MAX_TOTAL_SIZE = 256 * 1024;
const WINDOW_MS = 1000;

/** Of one message: characters of its texts and names, and one for each value. */
const MAX_DATA_SIZE = 16 * 1024;
const MAX_DATA_DEPTH = 32;
const MAX_LOGGER = 128;

/** What stands in place of data that is too large or nested too deep. */
const LEFT_OUT = {
  "proxy/left_out": `the data of this message is larger than ${MAX_DATA_SIZE} characters or too deep`,
};

/**
 * Takes the log messages of one server within bounds, without the secrets of its definition.
 *
 * @returns of the params of `notifications/message`: undefined for what is none, and for what goes beyond the bounds
 */
export function createLogIntake({
  clock,
  mask,
  fault,
}: LogIntakeOptions): (params: McpObject) => LogMessage | undefined {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  let size = 0;

  /** Whether there is room for one of this size; what is left out is reported once in a window. */
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
