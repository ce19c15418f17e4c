import { type App, part } from "../app.ts";
import { durationMs } from "../base/clock.ts";

/** The timeout of a call if the configuration contains no valid duration (ms; spec 001 §8 does not specify it). */
const CALL_TIMEOUT_MS = 120_000;

/** Cache of parsed durations by their text: there are few, and each call needs one. */
const timeouts = part("callTimeouts", () => new Map<string, number>());

const MAX_TIMEOUTS = 100;

/** Returns the timeout of the calls of one server (ms): its own, otherwise the general one. */
export function callTimeoutMs(app: App, server: string): number {
  const text = app.config.server(server)?.call_tool_timeout ?? app.config.current().call_tool_timeout;
  const read = app.part(timeouts);
  let ms = read.get(text);
  if (ms === undefined) {
    ms = durationMs(text) || CALL_TIMEOUT_MS;
    if (read.size < MAX_TIMEOUTS) read.set(text, ms);
  }
  return ms;
}
