import assert from "node:assert/strict";
import { test } from "node:test";
import { searchTools } from "#lib/core/verbs/tools/search.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";

const options = {
  connect: false,
  servers: [{ name: "money", command: "x" }],
  tools: { "money:price": { description: "shows the price of a cryptocurrency", status: "approved" } },
} as const;

test("the first search after a start finds tools by synonyms", () =>
  withApp(options, async (app) => {
    const { results } = await searchTools(app, "btc", { limit: 5, offset: 0 }, admin.caller);

    assert.deepEqual(
      results.map(({ tool }) => tool.name),
      ["price"],
    );
  }));
