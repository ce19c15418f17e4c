import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const params = { client: "cursor" };

verifies(
  ["rest.connect.delete", "rest.connect.backup-path"],
  "a disconnect takes out the one entry after a copy, and nothing when there is none",
  () =>
    withHome({}, async (app, home) => {
      const file = home.put(".cursor/mcp.json", CURSOR);
      const none = await call(app, "DELETE /api/v1/connect/{client}", { params });
      assert.deepEqual([none.action, none.backup_path], ["not_found", undefined]);
      assert.deepEqual(readdirSync(dirname(file)), ["mcp.json"]);
      await call(app, "POST /api/v1/connect/{client}", { params, body: { server_name: "tools" } });
      const connected = readFileSync(file, "utf8");
      const done = await call(app, "DELETE /api/v1/connect/{client}", { params, query: { server_name: "tools" } });
      assert.equal(done.action, "removed");
      assert.equal(readFileSync(done.backup_path!, "utf8"), connected);
      assert.equal(readFileSync(file, "utf8"), CURSOR);
    }),
);
