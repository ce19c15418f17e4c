import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalog } from "#lib/core/catalog/catalog.ts";
import { testCatalog } from "#test/kit/catalog.ts";
import { livemcpQueries, livemcpTools, recall } from "#test/kit/livemcp.ts";

/** A little below what is measured, so that a change that loses something is noticed and a change of ties is not. */
const FLOORS = {
  dev: { at1: 0.55, at5: 0.9, at10: 0.95, mrr: 0.7 },
  more: { at1: 0.4, at5: 0.74, at10: 0.84, mrr: 0.55 },
};

const EVERYBODY = { isVisible: () => true };

async function livemcp(): Promise<Catalog> {
  const servers = livemcpTools();
  const { catalog } = testCatalog(Object.fromEntries([...servers.keys()].map((name) => [name, {}])));
  for (const [server, tools] of servers) await catalog.acceptListing(server, tools);
  return catalog;
}

test("paraphrased questions over 527 real tools are answered among the first few", async () => {
  const catalog = await livemcp();
  const search = async (query: string, limit: number) =>
    (await catalog.search(query, limit, EVERYBODY)).map((hit) => hit.row.id);
  for (const set of ["dev", "more"] as const) {
    const measured = await recall(livemcpQueries(set), search);
    for (const [key, floor] of Object.entries(FLOORS[set])) {
      const value = measured[key as keyof typeof measured];
      assert.ok(value >= floor, `${set} ${key}: ${value.toFixed(3)} is below ${floor}`);
    }
  }
});

test("the words of a tool's own name find it first, synonyms or not", async () => {
  const catalog = await livemcp();
  const missed: string[] = [];
  for (const row of catalog.all()) {
    const words = row.name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ");
    const hits = await catalog.search(words, 5, EVERYBODY);
    if (!hits.some((hit) => hit.row.name === row.name)) missed.push(row.id);
  }
  assert.deepEqual(missed, []);
});
