import assert from "node:assert/strict";
import { test } from "node:test";
import { type CpuProfile, filesOfLines, flameText } from "./flame/flame-text.ts";

const BUNDLE = ["// lib/core/a.ts", "function outer() {}", "// lib/core/b.ts", "function inner2() {}"].join("\n");

const node = (id: number, functionName: string, lineNumber: number, children: number[] = [], url = "/x/proxy.cjs") => ({
  id,
  callFrame: { functionName, url, lineNumber },
  children,
});

test("a flame graph names source files, joins chains, and leaves out idle time and small parts", () => {
  const profile: CpuProfile = {
    nodes: [
      node(1, "(root)", -1, [2, 3, 4, 7], ""),
      node(2, "(idle)", -1, [], ""),
      node(3, "outer", 1, [5, 6]),
      node(4, "(garbage collector)", -1, [], ""),
      node(5, "inner2", 3),
      node(6, "write", 10, [], "node:net"),
      node(7, "tiny", 1),
    ],
    samples: [2, 3, 5, 6, 4, 7],
    timeDeltas: [5000, 300, 200, 300, 195, 5],
  };

  const text = flameText(profile, filesOfLines(BUNDLE), 10);

  assert.deepEqual(text.split("\n"), [
    "100.0 100 µs of the main thread for each call",
    " 80.0   outer core/a",
    " 30.0     write node:net",
    " 20.0     inner core/b",
    " 19.5   (garbage collector)",
  ]);
});

test("a function that takes nearly all time of its caller is on the caller's line", () => {
  const profile: CpuProfile = {
    nodes: [node(1, "(root)", -1, [2], ""), node(2, "outer", 1, [3]), node(3, "inner", 3)],
    samples: [2, 3],
    timeDeltas: [5, 95],
  };

  assert.match(flameText(profile, filesOfLines(BUNDLE), 1), /^100\.0 {3}outer core\/a → inner core\/b$/m);
});
