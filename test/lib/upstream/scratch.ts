import { callTool, startProgram, stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";

const http = await startProgram("upstream-http.mjs");
const sse = await startProgram("upstream-http.mjs", "--response", "sse");
const all = testUpstreams({
  servers: [stdioServer("stdio"), { name: "http", url: http.url }, { name: "sse", url: sse.url }],
});
await until("ready", () => ["stdio", "http", "sse"].every((n) => all.upstream(n).status().state === "Ready"));
const signal = new AbortController().signal;
for (const name of (process.argv[2] ?? "stdio,http,sse").split(","))
  for (const c of [1, 16, 64]) {
    const up = all.upstream(name);
    const n = c === 1 ? 3000 : 30000;
    for (let i = 0; i < 500; i++) await callTool(up, "echo", { message: "hi" });
    const t0 = performance.now();
    const cpu0 = process.cpuUsage();
    const lat: number[] = [];
    let left = n;
    await Promise.all(
      Array.from({ length: c }, async () => {
        while (left-- > 0) {
          const s = performance.now();
          await up.request(
            "tools/call",
            { name: "echo", arguments: { message: "hello" } },
            { timeoutMs: 120000, signal },
          );
          lat.push(performance.now() - s);
        }
      }),
    );
    const cpu = process.cpuUsage(cpu0);
    const ms = performance.now() - t0;
    lat.sort((a, b) => a - b);
    console.log(
      name,
      "c",
      c,
      "calls/s",
      Math.round((n / ms) * 1000),
      "p50",
      lat[n >> 1]!.toFixed(3),
      "p99",
      lat[Math.floor(n * 0.99)]!.toFixed(3),
      "cpu us/call",
      ((cpu.user + cpu.system) / n).toFixed(1),
    );
  }
await all.close();
await Promise.all([http.kill(), sse.kill()]);
