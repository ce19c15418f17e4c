import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import base from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { type Engine, execute, type Outside } from "./execute.ts";
import { MAX_MEMORY_MB, type VmStart, type VmTask } from "./protocol.ts";

/** Entry point of a sandbox thread. It runs one task at a time, each in its own WebAssembly instance. */
const start = workerData as VmStart;
const outside: Outside = {
  control: new Int32Array(start.control),
  port: start.port,
  post: (message) => parentPort?.postMessage(message),
};
/** WebAssembly pages are 64 KiB. The maximum is a hard limit on the memory of a program. */
const PAGES_PER_MB = 16;

// Linux gives each thread its own priority: a busy script yields to the proxy.
if (process.platform === "linux") setPriority(0, 19);

async function prepare(): Promise<Engine> {
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: MAX_MEMORY_MB * PAGES_PER_MB });
  // Emscripten reads these two members, which the package's type does not declare.
  const silent = { print() {}, printErr() {} } as object;
  // Loaded as CommonJS, the package's default export is wrapped a second time.
  const variant = ((base as { default?: unknown }).default ?? base) as QuickJSSyncVariant;
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: start.wasm, wasmMemory, emscriptenModule: silent }),
  );
  return { quickjs, memory: wasmMemory };
}

/** One run lets V8 compile the engine, so that the first real script does not wait for it. */
async function warmUp(): Promise<Engine> {
  const code = "[3,1].sort().map((x)=>`${x}`).concat(/a(b+)/.exec('abb'),JSON.parse('[1]'))";
  execute(await prepare(), { id: 0, code, filename: "warm.js", input: "{}", timeoutMs: 5000 }, outside);
  return prepare();
}

async function main() {
  let next = warmUp();
  // The listener keeps the thread alive. WebAssembly that is being compiled does not always do so (nodejs/node#36616).
  parentPort?.on("message", async (task: VmTask) => {
    const engine = await next;
    outside.post({ t: "started", id: task.id });
    const done = execute(engine, task, outside);
    outside.post(done);
    next = prepare();
  });
  await next;
  outside.post({ t: "ready" });
}
void main();
