import { asset } from "../core/base/asset.ts";
import { lazy } from "../core/base/lazy.ts";
import { compileSqlite } from "./compile-sqlite.ts";
import { type Call, diskCalls } from "./disk.ts";
import { Memory } from "./memory.ts";
import { createMounts, type Mounts } from "./mounts.ts";

/** The C functions of SQLite that are used. */
type ApiFunction =
  | "malloc"
  | "free"
  | "sqlite3_open"
  | "sqlite3_close_v2"
  | "sqlite3_errmsg"
  | "sqlite3_exec"
  | "sqlite3_changes"
  | "sqlite3_prepare_v2"
  | "sqlite3_step"
  | "sqlite3_reset"
  | "sqlite3_finalize"
  | "sqlite3_clear_bindings"
  | "sqlite3_bind_blob"
  | "sqlite3_bind_double"
  | "sqlite3_bind_int"
  | "sqlite3_bind_text"
  | "sqlite3_bind_parameter_index"
  | "sqlite3_column_count"
  | "sqlite3_data_count"
  | "sqlite3_column_name"
  | "sqlite3_column_type"
  | "sqlite3_column_double"
  | "sqlite3_column_text"
  | "sqlite3_column_blob"
  | "sqlite3_column_bytes";

/** Pointers, lengths and result codes are all numbers. */
type Api = Readonly<Record<ApiFunction, Call>>;

export interface Engine {
  readonly api: Api;
  readonly memory: Memory;
  readonly mounts: Mounts;
  /** Address of four words of memory for results of calls. */
  readonly scratch: number;
}

interface Exports extends Api {
  readonly memory: { readonly buffer: ArrayBuffer };
}

// TypeScript declares these names in the DOM library only.
interface WebAssemblyHost {
  Instance: new (module: object, imports: object) => { exports: Exports };
}

/** Starts sql.js at the first call; there is one engine per process. */
export const loadEngine = lazy(start);

async function start(): Promise<Engine> {
  const { Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyHost }).WebAssembly;
  const { default: init } = await import("sql.js/dist/sql-wasm-debug.js");
  const mounts = createMounts();
  let exports: Exports | undefined;
  const memory = new Memory(() => exports!.memory.buffer);
  await init({
    print: () => {},
    printErr: () => {},
    instantiateWasm(imports, done) {
      for (const [name, wrap] of Object.entries(diskCalls(mounts, memory))) {
        const space = Object.values(imports).find((s) => name in s);
        if (!space) throw new Error(`sql.js no longer imports ${name}`);
        space[name] = wrap(space[name] as Call);
      }
      const instance = new Instance(compileSqlite(asset("sql-wasm-debug.wasm")), imports);
      exports = instance.exports;
      done(instance);
      return exports;
    },
  });
  return { api: exports!, memory, mounts, scratch: exports!.malloc(16) };
}
