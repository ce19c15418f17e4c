import { createSearchEngine, type SearchEngine } from "#lib/core/catalog/search-engine.ts";
import type { SearchableTool } from "#lib/core/catalog/term-weights.ts";
import type { IndexMatch } from "#lib/core/catalog/tool-ranking.ts";
import { livemcpQueries, livemcpSearchables, recall } from "#test/kit/livemcp.ts";

/** Results asked for, as retrieve_tools does by default. */
const LIMIT = 15;
const ROUNDS = 10;
const LARGE = 10_000;
const SLICE = 50;

/** Search over 527 real tools and 10,000 made of their words: latency, time to index, memory, recall (ms, MB, shares). */
export async function benchSearch(): Promise<Record<string, number>> {
  const real = livemcpSearchables();
  const queries = livemcpQueries("dev").map((asked) => asked.query);
  const small = await timed(() => engineOf(real));
  const before = process.memoryUsage().rss;
  const large = await timed(() => engineOf(crossed(real, LARGE)));
  const rss = process.memoryUsage().rss - before;
  const ids = (query: string, limit: number) => first(small.value, query, limit);
  const dev = await recall(livemcpQueries("dev"), ids);
  const more = await recall(livemcpQueries("more"), ids);
  return {
    ...(await latencies("p527", small.value, queries)),
    ...(await latencies("p10k", large.value, queries)),
    build527Ms: round(small.ms),
    build10kMs: round(large.ms),
    rss10kMb: round(rss / 1e6),
    recall5Dev: round(dev.at5),
    mrrDev: round(dev.mrr),
    recall5More: round(more.at5),
    mrrMore: round(more.mrr),
  };
}

async function latencies(
  name: string,
  engine: SearchEngine,
  queries: readonly string[],
): Promise<Record<string, number>> {
  const ms: number[] = [];
  for (let i = 0; i < ROUNDS + 1; i++)
    for (const query of queries) {
      const took = (await timed(() => first(engine, query, LIMIT))).ms;
      // The first round warms up.
      if (i > 0) ms.push(took);
    }
  ms.sort((a, b) => a - b);
  const at = (share: number) => round(ms[Math.floor(ms.length * share)]!);
  return { [`${name}P50Ms`]: at(0.5), [`${name}P99Ms`]: at(0.99) };
}

/** Tools that are each a real one with another's words added, so that the vocabulary is that of real tools. */
function crossed(real: readonly SearchableTool[], count: number): SearchableTool[] {
  return Array.from({ length: count }, (_, i) => {
    const one = real[(i * 7919) % real.length]!;
    const other = real[(i * 104_729 + 13) % real.length]!;
    const [server, name] = [`server${i % 200}`, `${one.name}_${i}`];
    const description = `${one.description.slice(0, 200)} ${other.description.slice(0, 150)}`;
    return { ...(i % 2 ? one : other), id: `${server}:${name}`, server, name, description };
  });
}

function engineOf(tools: readonly SearchableTool[]): SearchEngine {
  const engine = createSearchEngine();
  // As the catalog does, though without the turns of the event loop in between.
  for (let i = 0; i < tools.length; i += SLICE) engine.put(tools.slice(i, i + SLICE));
  return engine;
}

async function first(engine: SearchEngine, query: string, limit: number): Promise<string[]> {
  const found = await engine.search({ query, limit, choose: (all) => take(all, limit) });
  return found.map(({ id }) => id);
}

function take(found: Iterable<IndexMatch>, limit: number): IndexMatch[] {
  const taken: IndexMatch[] = [];
  for (const match of found) if (taken.push(match) >= limit) break;
  return taken;
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

function round(n: number): number {
  return Math.round(n * 1000) / 1000;
}
