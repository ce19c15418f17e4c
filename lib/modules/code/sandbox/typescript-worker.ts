import { parentPort } from "node:worker_threads";
import { transformSync } from "@swc/wasm-typescript";
import type { Stripped } from "./typescript.ts";

/**
 * Entry point of the thread that compiles TypeScript to JavaScript. After a trap the compiler is unusable, so the
 * thread is then replaced.
 */
parentPort?.on("message", ({ id, source, filename }: { id: number; source: string; filename: string }) => {
  parentPort?.postMessage({ id, ...strip(source, filename) });
});

function strip(source: string, filename: string): Stripped {
  try {
    const { code, map } = transformSync(source, { mode: "transform", filename, sourceMap: true });
    return { kind: "code", code, map: map ?? "" };
  } catch (error) {
    const e = error as { code?: unknown; message?: unknown; startLine?: number; startColumn?: number };
    // The compiler sets a code on every error in the program; an error without one is the compiler's own failure.
    if (typeof e.code !== "string") return { kind: "fault", message: String(e.message ?? error) };
    return { kind: "syntax", message: String(e.message), line: e.startLine ?? 1, column: (e.startColumn ?? 0) + 1 };
  }
}
