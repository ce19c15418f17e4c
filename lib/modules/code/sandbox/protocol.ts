import type { MessagePort } from "node:worker_threads";

/** What the proxy and a sandbox thread say to each other. */

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

/** Kinds of host call: what the script asked for. */
export const HOST = { callTool: 0, callTools: 1, log: 2, input: 3, limit: 4 } as const;
export type HostCall = typeof HOST.callTool | typeof HOST.callTools;

/**
 * Over the call port: `[execution, call, kind, JSON text, room]` out, `[call, JSON text]` back. `room` is how much the
 * script can take as the answer (bytes of UTF-8).
 */
export type CallOut = [execution: number, call: number, kind: HostCall, json: string, room: number];
export type CallBack = [call: number, json: string];

export interface VmError {
  name: string;
  message: string;
  stack: string;
  /** Set for results that cannot be serialised, where the memory was used up, and when no sandbox could be started. */
  code?: string;
  /** Characters that the sandbox put before the first line. */
  shift?: number;
}

export type FromVm =
  | { t: "ready" }
  /** The program begins to run; its time counts from here. */
  | { t: "started"; id: number }
  | { t: "log"; id: number; text: string }
  | { t: "done"; id: number; json?: string; error?: VmError; stopped?: boolean };

/** Hard cap of one execution's memory (MB). */
export const MAX_MEMORY_MB = 64;

/** Largest answer to one host call (bytes of UTF-8): as text and as values it takes a multiple of that. */
export const MAX_ANSWER_BYTES = 8 * 1000 * 1000;

/** Bounds, in UTF-16 code units. */
export const MAX_LOG_CHARS = 64 * 1024;
export const MAX_ARGS_CHARS = 8 * 1024 * 1024;
export const MAX_RESULT_CHARS = 16 * 1024 * 1024;

/** What makes a function body of a program that returns at top level. */
export const WRAP_OPEN = "(function(){";
export const WRAP_CLOSE = "\n})()";
