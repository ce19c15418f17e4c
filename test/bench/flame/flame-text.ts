/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** Ids of the nodes that ran. */
  readonly samples: readonly number[];
  /** Time until each sample (µs). */
  readonly timeDeltas: readonly number[];
}

interface Frame {
  readonly name: string;
  /** With the frames that it called (µs). */
  us: number;
  readonly called: Map<string, Frame>;
}

/** Frames with a smaller part of the time are left out. */
const LEAST = 0.015;
/** A frame is written on the line of its caller if it takes at least this part of the caller's time. */
const NEARLY_ALL = 0.9;
const MAX_LINE_CHARS = 118;

/** Returns the source file of each line of a bundle, from the comments that esbuild writes. */
export function filesOfLines(bundle: string): string[] {
  let file = "";
  return bundle.split("\n").map((line) => {
    file = /^\s*\/\/ ((?:lib|handlers|cli|node_modules)\/\S+)$/.exec(line)?.[1] ?? file;
    return file;
  });
}

/**
 * Draws a profile as a flame graph in text: each line a frame, its part of the time in percent, below it what it called.
 * A continuation after a wait begins at the event loop again.
 *
 * @param files the result of `filesOfLines` for the bundle that ran
 */
export function flameText(profile: CpuProfile, files: readonly string[], calls: number): string {
  const all = gather(profile, files);
  const head = `100.0 ${(all.us / calls).toFixed(0)} µs of the main thread for each call`;
  return [head, ...linesOf(all, all.us, 1)].join("\n");
}

function gather({ nodes, samples, timeDeltas }: CpuProfile, files: readonly string[]): Frame {
  const spent = new Map<number, number>();
  for (const [i, id] of samples.entries()) spent.set(id, (spent.get(id) ?? 0) + timeDeltas[i]!);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const add = (id: number, caller: Frame): number => {
    const { callFrame, children = [] } = byId.get(id)!;
    const { functionName, url } = callFrame;
    if (functionName === "(idle)" || url.endsWith("profile-on-signal.cjs") || url === "node:inspector") return 0;
    const name = nameOf(callFrame, files);
    const frame = caller.called.get(name) ?? { name, us: 0, called: new Map() };
    caller.called.set(name, frame);
    const us = (spent.get(id) ?? 0) + children.reduce((sum, child) => sum + add(child, frame), 0);
    frame.us += us;
    return us;
  };
  const all: Frame = { name: "all", us: 0, called: new Map() };
  for (const id of nodes[0]!.children ?? []) all.us += add(id, all);
  return all;
}

function nameOf(
  { functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"],
  files: readonly string[],
): string {
  const name = functionName || "(anonymous)";
  if (url.startsWith("wasm:")) return "SQLite";
  if (url.startsWith("node:")) return `${name} ${url}`;
  const file = url.endsWith(".cjs") ? files[lineNumber] : undefined;
  // esbuild numbers the functions of one name.
  return file ? `${name.replace(/\d+$/, "")} ${file.replace(/^lib\//, "").replace(/\.ts$/, "")}` : name;
}

function linesOf(caller: Frame, totalUs: number, depth: number): string[] {
  const shown = [...caller.called.values()].filter(({ us }) => us >= totalUs * LEAST).sort((a, b) => b.us - a.us);
  return shown.flatMap((first) => {
    let line = `${((first.us / totalUs) * 100).toFixed(1).padStart(5)} ${"  ".repeat(depth)}${first.name}`;
    let frame = first;
    for (;;) {
      const next = [...frame.called.values()].find(({ us }) => us >= first.us * NEARLY_ALL);
      if (!next) break;
      frame = next;
      if (next.name === "SQLite" && line.endsWith("SQLite")) continue;
      if (line.length + next.name.length + 3 <= MAX_LINE_CHARS) line += ` → ${next.name}`;
      else if (!line.endsWith("→ …")) line += " → …";
    }
    return [line, ...linesOf(frame, totalUs, depth + 1)];
  });
}
