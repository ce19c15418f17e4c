/** Writes lines for people to standard error and the log folder. Secrets in them are masked. */
export interface Logger {
  trace(message: string, facts?: Record<string, unknown>): void;
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
  /** Logs the failure of a promise that nobody awaits; `tried` names what the promise was for. */
  catch(tried: string, promise: Promise<unknown>): void;
  tagged(tag: string): Logger;
}
