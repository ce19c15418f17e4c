import { readFileSync } from "node:fs";

/** What a server that acts by itself did (`test/programs/acting-server.mjs`), over all its processes. */
export interface ActCounts {
  readonly processes: number;
  /** Pairs of processes that acted at the same time. */
  readonly overlaps: string[];
  /** Calls that were carried out more than once. */
  readonly repeated: string[];
}

/** Reads what the processes of the server wrote down. */
export function readActs(file: string): ActCounts {
  const spans = new Map<string, { from: number; to: number }>();
  const calls = new Map<string, number>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [at, pid = "", what = ""] = line.split(" ");
    // The last line may be cut.
    if (what === "") continue;
    const ms = Number(at);
    const span = spans.get(pid) ?? { from: ms, to: ms };
    spans.set(pid, { from: Math.min(span.from, ms), to: Math.max(span.to, ms) });
    if (what.startsWith("called:")) calls.set(what, (calls.get(what) ?? 0) + 1);
  }
  const ordered = [...spans].sort(([, a], [, b]) => a.from - b.from);
  const overlaps = ordered.flatMap(([pid, span], index) => {
    const [next, other] = ordered[index + 1] ?? [];
    return other && other.from <= span.to ? [`${pid} and ${next}: ${(span.to - other.from).toFixed(1)} ms`] : [];
  });
  return {
    processes: spans.size,
    overlaps,
    repeated: [...calls].filter(([, count]) => count > 1).map(([what]) => what),
  };
}
