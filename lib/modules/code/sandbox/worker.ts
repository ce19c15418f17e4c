import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import base from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { type Engine, execute, type Outside } from "./execute.ts";
import { MAX_MEMORY_MB, type VmStart, type VmTask } from "./protocol.ts";

/** The sandbox thread's own program: one task after the other, each in a WebAssembly instance of its own. */
const start = workerData as VmStart;
const outside: Outside = {
  control: new Int32Array(start.control),
  port: start.port,
  post: (message) => parentPort?.postMessage(message),
};
/** WebAssembly pages are 64 KiB. The maximum is the hard cap: a program cannot grow past it whatever it does. */
const PAGES_PER_MB = 16;

// Linux gives each thread its own priority: a busy script yields to the proxy.
if (process.platform === "linux") setPriority(0, 19);

async function prepare(): Promise<Engine> {
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: MAX_MEMORY_MB * PAGES_PER_MB });
  // Emscripten reads these two although the package's type leaves them out.
  const silent = { print() {}, printErr() {} } as object;
  // The package's default export is wrapped once more when it comes through CommonJS.
  const variant = ((base as { default?: unknown }).default ?? base) as QuickJSSyncVariant;
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: start.wasm, wasmMemory, emscriptenModule: silent }),
  );
  return { quickjs, memory: wasmMemory };
}

async function main() {
  // One run to warm V8's compiled code, so that the first real script does not pay for it.
  const warm = "[3,1].sort().map((x)=>`${x}`).concat(/a(b+)/.exec('abb'),JSON.parse('[1]'))";
  execute(await prepare(), { id: 0, code: warm, filename: "warm.js", input: "{}", timeoutMs: 5000 }, outside);
  let next = prepare();
  await next;
  outside.post({ t: "ready" });
  parentPort?.on("message", async (task: VmTask) => {
    const engine = await next;
    outside.post({ t: "started", id: task.id });
    const done = execute(engine, task, outside);
    outside.post(done);
    next = prepare();
  });
}
void main();
