import type { Worker } from "node:worker_threads";
import { asset } from "../../../core/base/asset.ts";
import type { Clock } from "../../../core/base/clock.ts";

/** Timeout for removing the types from one program (ms). */
const STRIP_TIMEOUT_MS = 10_000;
/** The compiler's thread ends after this idle time, because it holds about 30 MB (ms). */
const IDLE_MS = 120_000;

export type Stripped =
  | { kind: "code"; code: string; map: string }
  | { kind: "syntax"; message: string; line: number; column: number }
  | { kind: "fault"; message: string };

/** Compiles TypeScript to JavaScript in a separate thread, without checking types. */
interface TypeScript {
  strip(source: string, filename: string): Promise<Stripped>;
  close(): Promise<void>;
}

export function createTypeScript(clock: Clock): TypeScript {
  let worker: Worker | undefined;
  let lastId = 0;
  let cancelIdle = () => {};
  const waiting = new Map<number, (answer: Stripped) => void>();

  const end = async (why: string) => {
    const ending = worker;
    worker = undefined;
    for (const [id, settle] of waiting) {
      waiting.delete(id);
      settle({ kind: "fault", message: why });
    }
    await ending?.terminate();
  };
  const start = () => {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const made = new Worker(asset("typescript-worker.cjs").toString("utf8"), {
      eval: true,
      env: {},
      execArgv: [],
      argv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    made.on("message", ({ id, ...answer }: Stripped & { id: number }) => {
      const settle = waiting.get(id);
      waiting.delete(id);
      settle?.(answer as Stripped);
      if (answer.kind === "fault") void end("the TypeScript compiler failed");
    });
    made.on("error", (error) => void end(`the TypeScript compiler failed: ${error.message}`));
    return made;
  };

  return {
    strip: (source, filename) =>
      new Promise((settled) => {
        worker ??= start();
        const id = ++lastId;
        worker.ref();
        cancelIdle();
        const cancelTimeout = clock.after(STRIP_TIMEOUT_MS, () => void end("the TypeScript compiler took too long"));
        waiting.set(id, (answer) => {
          cancelTimeout();
          if (waiting.size === 0) {
            worker?.unref();
            cancelIdle = clock.after(IDLE_MS, () => void end("idle"));
          }
          settled(answer);
        });
        worker.postMessage({ id, source, filename });
      }),
    async close() {
      cancelIdle();
      await end("the proxy stops");
    },
  };
}
