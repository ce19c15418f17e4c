import { setFlagsFromString } from "node:v8";

// TypeScript declares these names in the DOM library only.
interface WebAssemblyHost {
  Module: new (bytes: Uint8Array) => object;
}

/**
 * How much code a function of SQLite runs before V8 compiles it a second time, with optimisation (bytes of machine code,
 * roughly). With V8's own figure, SQLite's parser and its interpreter of statements, which are its largest functions, are
 * compiled again at each start, which takes a fourth of the start's processor time. With this one, nearly the largest that V8
 * accepts, the interpreter is compiled again during the first hundreds of calls, and the parser never, because the store
 * prepares each statement once.
 */
const TIERING_BUDGET = 2_000_000_000;

/** V8's own figure, by the major version of Node. V8 has no way to read it. */
const DEFAULT_BUDGETS: Readonly<Record<string, number>> = { 20: 1_800_000, 24: 13_000_000 };

/**
 * Compiles SQLite's WebAssembly. V8 reads the flag when it makes a module, so it changes nothing for other modules. It is
 * set back because V8 rejects code caches that were made with other flags.
 */
export function compileSqlite(bytes: Uint8Array): object {
  const { Module } = (globalThis as unknown as { WebAssembly: WebAssemblyHost }).WebAssembly;
  const usual = DEFAULT_BUDGETS[process.versions.node.split(".", 1)[0]!];
  if (usual === undefined) return new Module(bytes);
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  try {
    return new Module(bytes);
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usual}`);
  }
}
