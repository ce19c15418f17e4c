import assert from "node:assert/strict";
import { test } from "node:test";
import { searchTools } from "#lib/core/verbs/tools/search.ts";
import { agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const options = {
  connect: false,
  servers: [
    { name: "git", command: "x" },
    { name: "held", command: "x", quarantined: true },
    { name: "off", command: "x", enabled: false },
  ],
  tools: {
    "git:commit_log": { description: "shows the commit log", status: "approved" },
    "git:commit_new": { description: "makes a commit", status: "pending" },
    "held:commit_list": { description: "lists commits", status: "approved" },
    "off:commit_show": { description: "shows a commit", status: "approved" },
  },
} as const;

verifies(
  ["rest.search.shape", "rest.search.withholds"],
  "tools are found by relevance, with bare name beside server; quarantined and disabled servers are withheld",
  () =>
    withApp(options, async (app) => {
      const data = await call(app, "GET /api/v1/index/search", { query: { q: "commit log" } });

      assert.equal(data.query, "commit log");
      assert.deepEqual(
        data.results.map(({ tool }) => [tool.server_name, tool.name, tool.approval_status]),
        [
          ["git", "commit_log", "approved"],
          ["git", "commit_new", "pending_approval"],
        ],
      );
      assert.ok(data.results[0]!.score > data.results[1]!.score);
      assert.equal(data.total, 2);
      assert.deepEqual(data.withheld, { quarantined: 1, disabled: 1 });
      assert.match(data.notice ?? "", /^More tools match but are hidden: 1 of a quarantined server: .*; 1 disabled/);
      const other = await call(app, "GET /api/v1/index/search", { query: { query: "commit log", limit: "1" } });
      assert.deepEqual([other.total, other.results.length, other.results[0]?.tool.name], [2, 1, "commit_log"]);
    }),
);

test("an agent token finds only what it could call", () =>
  withApp(options, async (app) => {
    const names = async (servers: string[]) => {
      const found = await searchTools(app, "commit", { limit: 10, offset: 0 }, agent(servers).caller);
      return found.results.map(({ tool }) => tool.name);
    };
    assert.deepEqual(await names(["git"]), ["commit_log"]);
    assert.deepEqual(await names(["held"]), []);
  }));

test("pages follow each other without overlap, and the last one says so", () => {
  const tools = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`git:read_file_${i}`, {}]));
  return withApp({ connect: false, servers: [{ name: "git", command: "x" }], tools }, async (app) => {
    const page = (offset: number) =>
      call(app, "GET /api/v1/index/search", { query: { q: "read file", limit: "3", offset: String(offset) } });
    const all = await call(app, "GET /api/v1/index/search", { query: { q: "read file" } });
    const pages = [await page(0), await page(3), await page(6), await page(9)];

    assert.deepEqual(
      pages.flatMap(({ results }) => results),
      all.results,
    );
    assert.deepEqual(
      pages.map(({ total, offset, has_more }) => [total, offset, has_more]),
      [
        [7, 0, true],
        [7, 3, true],
        [7, 6, false],
        [7, 9, false],
      ],
    );
    assert.equal(all.has_more, false);

    const walked = [];
    for (let cursor: string | undefined; ; ) {
      const query = { q: "read file", limit: "2", ...(cursor !== undefined && { cursor }) };
      const { results, next_cursor } = await call(app, "GET /api/v1/index/search", { query });
      walked.push(...results);
      cursor = next_cursor;
      if (cursor === undefined) break;
    }
    assert.deepEqual(walked, all.results);
  });
});
