import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, startProgram, stdioServer, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

/** Each of these is connected beside a healthy upstream that is called all the while. */
const BAD: [what: string, flags: string[]][] = [
  ["never answers", ["--mute"]],
  ["answers everything late", ["--init-delay", "1500", "--list-delay", "3000"]],
  ["prints garbage as fast as it can", ["--garbage", "0"]],
  ["prints garbage now and then", ["--garbage", "1"]],
  ["floods list_changed as fast as it can", ["--flood", "0"]],
  ["floods stderr", ["--stderr", "0"]],
  ["exits again and again", ["--exit-after", "50"]],
  ["cannot start", ["--fail-starts", "/nonexistent/x:1"]],
];

for (const [what, flags] of BAD)
  test(`an upstream that ${what} does not disturb its neighbour`, async () => {
    const all = testUpstreams({ servers: [stdioServer("good"), { ...stdioServer("bad", ...flags), enabled: false }] });
    try {
      const good = all.upstream("good");
      await until("good is ready", () => good.status().state === "Ready");
      // Nine of ten calls are answered within this; alone first, since a busy machine is slow without any help.
      const slowest = async () => {
        const times: number[] = [];
        for (let n = 0; n < 100; n++) {
          const began = performance.now();
          assert.equal(textOf(await callTool(good, "echo", { n })), JSON.stringify({ n }));
          times.push(performance.now() - began);
        }
        return times.sort((a, b) => a - b)[90]!;
      };
      const alone = await slowest();
      all.edit("bad", (s) => (s.enabled = true));
      const began = performance.now();
      await until("bad is tried", () => all.upstream("bad").status().state !== "Disconnected");
      await new Promise((done) => setTimeout(done, 300));

      const beside = await slowest();

      const seconds = (performance.now() - began) / 1000;
      assert.ok(beside < 250 + 20 * alone, `p90 was ${beside} ms, and ${alone} ms alone`);
      assert.ok(all.serverLines.length < 1000 + 600 * seconds, `${all.serverLines.length} lines for the servers' logs`);
      assert.ok(all.logLines.length < 100 + 150 * seconds, `${all.logLines.length} log lines`);
    } finally {
      await all.close();
    }
  });

test("an upstream that floods list_changed is listed now and then, and can still be called", async () => {
  const all = testUpstreams({ servers: [stdioServer("bad", "--flood", "0")] });
  try {
    const bad = all.upstream("bad");
    await until("listed", () => all.accepts() >= 1);
    const began = Date.now();

    await until("listed again", () => all.accepts() >= 2);
    assert.ok(Date.now() - began > 200, "listings are merged");
    assert.equal(textOf(await callTool(bad, "echo", { a: 1 }, 10_000)), '{"a":1}');
  } finally {
    await all.close();
  }
});

test("protocol faults and stderr are in the server's own log, bounded", async () => {
  const all = testUpstreams({ servers: [stdioServer("bad", "--garbage", "0", "--stderr", "5")] });
  try {
    await until("both", () =>
      ["protocol: not a JSON-RPC message", "stderr: a line on stderr"].every((text) =>
        all.serverLines.some((line) => line.includes(text)),
      ),
    );
    assert.ok(all.serverLines.filter((l) => l.includes("protocol:")).length < 60);
  } finally {
    await all.close();
  }
});

test("a line of 100 MiB fails that one request and does not fill memory", async () => {
  const all = testUpstreams({ servers: [stdioServer("bad", "--huge-line", "100"), stdioServer("good")] });
  try {
    const bad = all.upstream("bad");
    await until("ready", () => bad.status().state === "Ready" && all.upstream("good").status().state === "Ready");
    const before = process.memoryUsage().rss;

    const huge = callTool(bad, "huge");
    const calls = Array.from({ length: 50 }, () => callTool(all.upstream("good"), "echo", {}, 5000));

    await assert.rejects(huge, { code: "upstream_failed", message: /larger than the maximum of 67108864/ });
    await Promise.all(calls);
    assert.ok(process.memoryUsage().rss - before < 250 << 20);
    assert.equal(textOf(await callTool(bad, "echo", {}, 10_000)), "{}", "the stream is in step again");
  } finally {
    await all.close();
  }
});

test("a child that does not read its input cannot fill our memory", async () => {
  const all = testUpstreams({ servers: [stdioServer("deaf", "--deaf")] });
  try {
    const deaf = all.upstream("deaf");
    await until("ready", () => deaf.status().state === "Ready");
    const message = "x".repeat(2 << 20);

    const calls = Array.from({ length: 20 }, () => callTool(deaf, "echo", { message }, 5000).catch((e) => e.code));

    const codes = await Promise.all(calls);
    assert.ok(codes.filter((c) => c === "upstream_failed").length >= 10, codes.join(" "));
    assert.ok(codes.filter((c) => c === "call_timeout").length >= 1, codes.join(" "));
  } finally {
    await all.close();
  }
});

test("answers written in pieces of three bytes are put together", async () => {
  const all = testUpstreams({ servers: [stdioServer("slow", "--chunk", "3")] });
  try {
    await until("listed", () => all.accepted.has("slow"));

    assert.equal(textOf(await callTool(all.upstream("slow"), "echo", { t: "größe 日本🚀" })), '{"t":"größe 日本🚀"}');
  } finally {
    await all.close();
  }
});

test("a slow HTTP upstream holds up nobody else", async () => {
  const slow = await startProgram("upstream-http.mjs");
  const all = testUpstreams({ servers: [{ name: "slow", url: slow.url }, stdioServer("good")] });
  try {
    await until("ready", () => ["slow", "good"].every((n) => all.upstream(n).status().state === "Ready"));
    const waiting = Array.from({ length: 200 }, () => callTool(all.upstream("slow"), "slow", { ms: 3000 }));

    const first = await Promise.race([...waiting, callTool(all.upstream("good"), "echo", { t: "me first" })]);

    assert.equal(textOf(first), '{"t":"me first"}');
    assert.equal((await Promise.all(waiting)).length, 200);
  } finally {
    await all.close();
    await slow.kill();
  }
});
