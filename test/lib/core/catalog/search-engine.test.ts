import assert from "node:assert/strict";
import { test } from "node:test";
import { runStepsToEnd } from "#lib/core/base/loop-share.ts";
import { createSearchEngine, type SearchEngine } from "#lib/core/catalog/search-engine.ts";
import { type SearchableTool, termWeights } from "#lib/core/catalog/term-weights.ts";
import { termsOf } from "#lib/core/catalog/terms.ts";
import { createToolRanking, type IndexMatch, type ToolRanking } from "#lib/core/catalog/tool-ranking.ts";
import { livemcpQueries, livemcpSearchables } from "#test/kit/livemcp.ts";

const QUERIES = [...livemcpQueries("dev"), ...livemcpQueries("more")].map((asked) => asked.query);
const ODD_QUERIES = ["", " ", "__proto__", "constructor", "余票", "zzzzqqqq", "create", "a".repeat(5000)];

function engineOf(tools: readonly SearchableTool[]): SearchEngine {
  const engine = createSearchEngine();
  engine.put(tools);
  return engine;
}

function indexOf(tools: readonly SearchableTool[]): ToolRanking {
  const index = createToolRanking();
  for (const tool of tools) index.put(tool, termWeights(tool, termsOf));
  return index;
}

function take(found: Iterable<IndexMatch>, limit: number): IndexMatch[] {
  const taken: IndexMatch[] = [];
  for (const match of found) {
    if (taken.length >= limit) break;
    taken.push(match);
  }
  return taken;
}

async function ask(
  engine: SearchEngine,
  query: string,
  limit: number,
  within?: (server: string) => boolean,
): Promise<IndexMatch[]> {
  return await engine.search({ query, limit, choose: (found) => take(found, limit), ...(within && { within }) });
}

test("Orama answers what the bare index answers, in its order and with its scores, over 527 real tools", async () => {
  const tools = livemcpSearchables();
  const [engine, index] = [engineOf(tools), indexOf(tools)];
  assert.equal(engine.size, 527);
  for (const query of [...QUERIES, ...ODD_QUERIES])
    for (const limit of [1, 15, 600])
      assert.deepEqual(
        await ask(engine, query, limit),
        take(runStepsToEnd(index.search(query)), limit),
        query.slice(0, 80),
      );
});

test("equal scores go by id, in whatever order the tools came", async () => {
  const twins = ["y", "w", "z", "x"].map((server) => tool(`${server}:same`, "Does the same thing"));
  const engine = engineOf(twins);
  const ids = ["w:same", "x:same", "y:same", "z:same"];
  for (const query of ["same thing", "same"])
    assert.deepEqual(
      (await ask(engine, query, 10)).map((f) => f.id),
      ids,
      query,
    );
});

test("tools that come, change and go through Orama leave the ranking as if they had never been", async () => {
  const tools = livemcpSearchables();
  const engine = createSearchEngine();
  for (let round = 0; round < 3; round++) {
    engine.put(tools.map((t) => ({ ...t, description: `round ${round} file commit` })));
    engine.put(Array.from({ length: 50 }, (_, i) => tool(`churn:t${i}`, `Round ${round} number ${i}`)));
    engine.remove([...tools.slice(0, 200).map((t) => t.id), ...Array.from({ length: 50 }, (_, i) => `churn:t${i}`)]);
  }
  engine.put(tools);
  engine.remove(["never:there", "__proto__", "constructor"]);

  const index = indexOf(tools);
  assert.equal(engine.size, tools.length);
  for (const query of QUERIES)
    assert.deepEqual(await ask(engine, query, 15), take(runStepsToEnd(index.search(query)), 15), query);
});

test("tools of ever new names leave nothing behind, and what stays is still found", async () => {
  const engine = engineOf([tool("stays:pelican", "Feeds a pelican")]);
  for (let round = 0; round < 50; round++) {
    const ids = Array.from({ length: 100 }, (_, i) => `churn:t${round}_${i}`);
    engine.put(ids.map((id) => tool(id, "Comes and goes")));
    engine.remove(ids);
  }
  assert.ok(engine.remembered < 1500, `${engine.remembered} ids are remembered`);
  const { remembered } = engine;
  engine.remove(["never:there", "nor:this"]);
  assert.equal(engine.remembered, remembered, "asking about unknown ids is not remembered");
  assert.equal(engine.size, 1);
  assert.deepEqual(
    (await ask(engine, "pelican", 5)).map((f) => f.id),
    ["stays:pelican"],
  );
  engine.put([tool("stays:pelican", "Counts walruses")]);
  assert.deepEqual(await ask(engine, "feeds", 5), []);
  assert.equal((await ask(engine, "walrus", 5))[0]?.id, "stays:pelican");
});

test("one put may name a tool twice; the last counts", async () => {
  const engine = engineOf([tool("a:b", "pelican"), tool("a:b", "walrus")]);
  assert.equal(engine.size, 1);
  assert.equal((await ask(engine, "walrus", 5)).length, 1);
  assert.deepEqual(await ask(engine, "pelican", 5), []);
});

test("a search within some servers answers as if there were no others, score for score", async () => {
  const tools = livemcpSearchables();
  const engine = engineOf(tools);
  const within = (server: string) => server.charCodeAt(0) % 2 === 0;
  const alone = engineOf(tools.filter((t) => within(t.server)));
  const names = tools.slice(0, 100).map((t) => t.name);
  for (const query of [...QUERIES, ...names]) {
    const asked: string[] = [];
    const found = await ask(engine, query, 600, (server) => {
      asked.push(server);
      return within(server);
    });
    assert.deepEqual(found, await ask(alone, query, 600), query);
    assert.equal(new Set(asked).size, asked.length, "asked once for each server");
  }
});

test("a tool whose terms cannot be made out can be put again", async () => {
  const engine = createSearchEngine();
  const broken = { ...tool("a:b", "x"), description: undefined as unknown as string };
  assert.throws(() => engine.put([broken]));
  engine.put([tool("a:b", "pelican")]);
  assert.equal((await ask(engine, "pelican", 5))[0]?.id, "a:b");
});

function tool(id: string, description: string): SearchableTool {
  const [server = "", name = ""] = id.split(":");
  return { id, server, name, description, inputSchema: { type: "object" } };
}
