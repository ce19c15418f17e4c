import { parentPort } from "node:worker_threads";
import { transformSync } from "@swc/wasm-typescript";
import type { Stripped } from "./typescript.ts";

/** A thread that turns TypeScript into JavaScript; replaced after a fault, since a trap leaves the compiler unusable. */
parentPort?.on("message", ({ id, source, filename }: { id: number; source: string; filename: string }) => {
  parentPort?.postMessage({ id, ...strip(source, filename) });
});

function strip(source: string, filename: string): Stripped {
  try {
    const { code, map } = transformSync(source, { mode: "transform", filename, sourceMap: true });
    return { kind: "code", code, map: map ?? "" };
  } catch (error) {
    const e = error as { code?: unknown; message?: unknown; startLine?: number; startColumn?: number };
    // Every complaint about the program carries a code; anything else is the compiler's own failure.
    if (typeof e.code !== "string") return { kind: "fault", message: String(e.message ?? error) };
    return { kind: "syntax", message: String(e.message), line: e.startLine ?? 1, column: (e.startColumn ?? 0) + 1 };
  }
}
