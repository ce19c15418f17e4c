/** A failure of the JavaScript engine that the sandbox treats in its own way. */
type EngineFailure = "out_of_memory" | "top_level_return";

/** The messages of QuickJS; it has no codes. */
const MESSAGES: readonly (readonly [name: string, message: string, EngineFailure])[] = [
  ["InternalError", "out of memory", "out_of_memory"],
  ["SyntaxError", "return not in a function", "top_level_return"],
];

/** Messages of traps that Emscripten throws if the engine's memory cannot grow. */
const TRAPS: readonly RegExp[] = [/out of memory/, /OOM/];

/**
 * The failure that an error of the engine reports, undefined for any other. This is the only place that reads the
 * engine's messages.
 */
export function engineFailure({ name, message }: { name: string; message: string }): EngineFailure | undefined {
  return MESSAGES.find(([itsName, itsMessage]) => itsName === name && itsMessage === message)?.[2];
}

/** Whether a WebAssembly trap means that the memory is exhausted. */
export const isMemoryTrap = (error: unknown): boolean => TRAPS.some((one) => one.test(String(error)));
