/** Lines for people, on standard error and in the log folder; secrets are scrubbed by the reporter. */
export interface Logger {
  trace(message: string, facts?: Record<string, unknown>): void;
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
  /** Logs the failure of a promise that nobody awaits, with what was tried. */
  catch(tried: string, promise: Promise<unknown>): void;
  tagged(tag: string): Logger;
}
