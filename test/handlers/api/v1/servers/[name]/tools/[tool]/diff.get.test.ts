import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const DIFF = "GET /api/v1/servers/{name}/tools/{tool}/diff";

verifies(
  ["rest.diff.fields", "rest.diff.output-schema", "rest.tools.diff"],
  "a diff holds every field an approval covers, as text, before and now",
  () =>
    withApp({ connect: false, servers: [{ name: "git", command: "x", quarantined: false }] }, async (app) => {
      const schema = { type: "object", properties: { b: {}, a: {} } };
      await app.catalog.acceptListing("git", [{ name: "log", description: "old", inputSchema: schema }]);
      await call(app, "POST /api/v1/servers/{name}/tools/approve", {
        params: { name: "git" },
        body: { tools: ["log"] },
      });
      await app.catalog.acceptListing("git", [
        {
          name: "log",
          description: "old",
          inputSchema: schema,
          outputSchema: { type: "object" },
          annotations: { destructiveHint: true },
          icons: [{ src: "https://example.com/a.png" }],
          _meta: { "vendor/template": "ui://b" },
        },
      ]);

      const diff = await call(app, DIFF, { params: { name: "git", tool: "log" } });

      const { scan, ...texts } = diff;
      assert.ok(Object.values(texts).every((value) => typeof value === "string"));
      assert.equal(scan?.verdict, "clean");
      assert.deepEqual([diff.server_name, diff.tool_name, diff.status], ["git", "log", "changed"]);
      assert.match(diff.approved_hash, /^sha256\/v\d+:[0-9a-f]{64}$/);
      assert.notEqual(diff.approved_hash, diff.current_hash);
      assert.deepEqual([diff.previous_description, diff.current_description], ["old", "old"]);
      assert.equal(diff.previous_schema, diff.current_schema);
      assert.ok(diff.current_schema.indexOf('"a"') < diff.current_schema.indexOf('"b"'));
      assert.deepEqual([diff.previous_output_schema, JSON.parse(diff.current_output_schema)], ["", { type: "object" }]);
      assert.deepEqual(
        [diff.previous_annotations, JSON.parse(diff.current_annotations)],
        ["", { destructiveHint: true }],
      );
      assert.deepEqual(
        [diff.previous_icons, JSON.parse(diff.current_icons)],
        ["", [{ src: "https://example.com/a.png" }]],
      );
      assert.deepEqual([diff.previous_meta, JSON.parse(diff.current_meta)], ["", { "vendor/template": "ui://b" }]);
    }),
);

test("a tool never approved has no previous side, and an unknown one is 404", () =>
  withApp(
    { connect: false, servers: [{ name: "git", command: "x" }], tools: { "git:log": "pending", "git:a/b": "pending" } },
    async (app) => {
      const diff = await call(app, DIFF, { params: { name: "git", tool: "log" } });
      assert.deepEqual([diff.status, diff.approved_hash, diff.previous_schema], ["pending_approval", "", ""]);
      assert.equal((await call(app, DIFF, { params: { name: "git", tool: "a/b" } })).tool_name, "a/b");
      assert.equal((await ask(app, "GET /api/v1/servers/git/tools/nope/diff")).status, 404);
    },
  ));
