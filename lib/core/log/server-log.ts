/** One rotating log file per upstream server, with its standard error, protocol errors and connection events. */
export interface ServerLogs {
  /** Never throws and never blocks. Secrets in the line are masked, and it is cut at 8 KiB. */
  write(server: string, level: "debug" | "info" | "warn" | "error", line: string): void;
  /** Returns the last `count` lines, oldest first. */
  tail(server: string, count: number): Promise<ServerLogLine[]>;
  close(): Promise<void>;
}
export interface ServerLogLine {
  timestamp: string;
  level: string;
  message: string;
}
