import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn } from "#lib/upstream/in-turn.ts";
import { callTool, startProgram, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

const LARGE = 1024 * 1024;
const turn = () => new Promise<void>((done) => setImmediate(done));

test("a small answer is read at once, also while large ones wait", async () => {
  const read: string[] = [];

  inTurn(LARGE, () => read.push("large"));
  inTurn(LARGE - 1, () => read.push("small"));

  assert.deepEqual(read, ["small"]);
  while (read.length < 2) await turn();
});

test("large answers are read in their order, with a turn for others between each two", async () => {
  const seen: string[] = [];

  for (const name of ["a", "b", "c"]) inTurn(LARGE, () => seen.push(name));
  while (!seen.includes("c")) {
    await turn();
    seen.push("others");
  }

  assert.deepEqual(
    seen.filter((what) => what !== "others"),
    ["a", "b", "c"],
  );
  const between = (from: string, to: string) => seen.slice(seen.indexOf(from) + 1, seen.indexOf(to));
  assert.ok(between("a", "b").includes("others"), seen.join());
  assert.ok(between("b", "c").includes("others"), seen.join());
});

test("large answers at the same time arrive whole, but for the one whose caller has gone; small ones come through", async () => {
  const program = await startProgram("upstream-http.mjs", "--huge", "4");
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, protocol: "streamable-http" }] });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    const gone = new AbortController();

    const large = Array.from({ length: 3 }, () => callTool(one, "huge"));
    const left = one.request("tools/call", { name: "huge" }, { timeoutMs: 120_000, signal: gone.signal });
    const small = Array.from({ length: 20 }, () => callTool(one, "echo"));
    gone.abort();

    await assert.rejects(left, { code: "cancelled" });
    for (const reply of await Promise.all(large)) assert.ok(textOf(reply).length >= 4 * LARGE);
    for (const reply of await Promise.all(small)) assert.equal(textOf(reply), "{}");
  } finally {
    await all.close();
    await program.kill();
  }
});
