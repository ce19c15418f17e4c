/** One rotating log file per upstream: its stderr, protocol faults and connection events. */
export interface ServerLogs {
  /** Never throws and never blocks; lines are scrubbed and cut at 8 KiB. */
  write(server: string, level: "debug" | "info" | "warn" | "error", line: string): void;
  /** The last `count` lines, oldest first. */
  tail(server: string, count: number): Promise<ServerLogLine[]>;
  close(): Promise<void>;
}
export interface ServerLogLine {
  timestamp: string;
  level: string;
  message: string;
}
