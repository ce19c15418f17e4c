import type { Readable, Writable } from "node:stream";

/** A running server with pipes: a process of ours, or one inside a container. */
export interface ServerProcess {
  /** On this machine; absent inside a container. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Told once, how it ended: `exited with code 1`. */
  onEnd(fn: (how: string) => void): void;
  /** Told once it has ended and its last words are read. */
  onSilent(fn: () => void): void;
  /** Ends it and all it started. Never rejects, and returns within 6 s. */
  end(): Promise<void>;
}
