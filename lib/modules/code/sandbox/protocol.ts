import type { MessagePort } from "node:worker_threads";

/** The messages between the proxy and a sandbox thread. */

/** Words in the shared control array: a wake-up counter, and the id of the execution that must stop. */
export const WAKE = 0;
export const STOP = 1;

export interface VmStart {
  control: SharedArrayBuffer;
  port: MessagePort;
  wasm: WebAssembly.Module;
}

export interface VmTask {
  id: number;
  code: string;
  filename: string;
  /** JSON text of the global `input`. */
  input: string;
  timeoutMs: number;
}

/** The kinds of host call. */
export const HOST = { callTool: 0, callTools: 1, log: 2, input: 3, limit: 4 } as const;
export type HostCall = typeof HOST.callTool | typeof HOST.callTools;

/**
 * Over the call port: `[execution, call, kind, JSON text, room]` out, `[call, JSON text]` back. `room` is the largest
 * answer that the script has memory for (bytes of UTF-8).
 */
export type CallOut = [execution: number, call: number, kind: HostCall, json: string, room: number];
export type CallBack = [call: number, json: string];

export interface VmError {
  name: string;
  message: string;
  stack: string;
  /** Set for a result that cannot be serialised, for exhausted memory, and if no sandbox could be started. */
  code?: string;
  /** Characters that the sandbox inserted before the first line. */
  shift?: number;
}

export type FromVm =
  | { t: "ready" }
  /** The program begins to run; its timeout counts from here. */
  | { t: "started"; id: number }
  | { t: "log"; id: number; text: string }
  | { t: "done"; id: number; json?: string; error?: VmError; stopped?: boolean };

/** Hard cap of one execution's memory (MB). */
export const MAX_MEMORY_MB = 64;

/**
 * Largest answer to one host call; it takes a multiple of this in memory, as a string and as values (bytes of UTF-8).
 */
export const MAX_ANSWER_BYTES = 8 * 1000 * 1000;

/** Bounds, in UTF-16 code units. */
export const MAX_LOG_CHARS = 64 * 1024;
export const MAX_ARGS_CHARS = 8 * 1024 * 1024;
export const MAX_RESULT_CHARS = 16 * 1024 * 1024;

/** The wrapper that turns a program with a top-level `return` into a function body. */
export const WRAP_OPEN = "(function(){";
export const WRAP_CLOSE = "\n})()";
