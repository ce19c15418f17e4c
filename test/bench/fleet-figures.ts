import { startFleet } from "./stall/fleet.ts";
import { startMeasured } from "./stall/proxy.ts";
import { benchStall } from "./stall.ts";

const SERVERS = 1000;

/** What many tools and many servers cost: stalls and times in ms. */
export async function fleetFigures(node: string) {
  const stalls = await benchStall(["list-10k", "search-10k", "connect-10k"]);
  return {
    list: stalls["list-10k"]?.stall_ms,
    search: stalls["search-10k"]?.stall_ms,
    restart: stalls["connect-10k"]?.stall_ms,
    ...(await thousandServers(node)),
  };
}

/** Servers with one tool each: the time until all are ready, and the memory that each of them takes at rest. */
async function thousandServers(node: string): Promise<{ readyMs: number; kbEach: number }> {
  const none = await resting(node, 0);
  const many = await resting(node, SERVERS);
  return { readyMs: many.tookMs, kbEach: Math.round(((many.mb - none.mb) * 1024) / SERVERS) };
}

async function resting(node: string, servers: number): Promise<{ tookMs: number; mb: number }> {
  const fleet = await startFleet(1);
  const mcpServers = Array.from({ length: servers }, (_, i) => ({
    name: `server-${i}`,
    url: fleet.url(i),
    protocol: "streamable-http",
    enabled: true,
    quarantined: false,
    trust_mode: "auto",
  }));
  const proxy = await startMeasured(node, { mcpServers });
  try {
    const { took_ms, later_mb = 0 } = await proxy.measure(
      async () => {
        for (;;) {
          const { text } = await proxy.rest("GET", "/api/v1/status");
          if (Number(/"total_tools":(\d+)/.exec(text)?.[1] ?? 0) >= servers) return undefined;
          await new Promise((done) => setTimeout(done, 50));
        }
      },
      // Long enough for a collection, and for V8 to return what is free.
      { atOnce: true, laterMs: 40_000 },
    );
    return { tookMs: took_ms, mb: later_mb };
  } finally {
    await proxy.stop();
    fleet.close();
  }
}
