declare module "sql.js/dist/sql-wasm-debug.js" {
  interface Options {
    /** Makes the instance, passes it to `done` and returns its exports. */
    instantiateWasm(imports: Record<string, Record<string, unknown>>, done: (instance: object) => void): object;
    print(text: string): void;
    printErr(text: string): void;
  }
  /** Starts the engine. There is one per process: later calls return the promise of the first call. */
  const start: (options: Options) => Promise<unknown>;
  export default start;
}
