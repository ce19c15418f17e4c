import type { Readable, Writable } from "node:stream";

/** A running server with pipes: a process on this machine, or one in a container. */
export interface ServerProcess {
  /** The process id on this machine; undefined in a container. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Calls `fn` once when the process has ended, with a description: `exited with code 1`. */
  onEnd(fn: (how: string) => void): void;
  /** Calls `fn` once when the process has ended and its remaining output was read. */
  onSilent(fn: () => void): void;
  /** Ends the process and everything it started. Never rejects, and returns within 6 s. */
  end(): Promise<void>;
}
