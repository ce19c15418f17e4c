import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
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

test("a client that reads several files is disconnected in the one that has the entry, and undone there", () =>
  withHome({}, async (app, home) => {
    const opencode = { client: "opencode" };
    const json = home.put(".config/opencode/opencode.json", "{}\n");
    const connect = () => call(app, "POST /api/v1/connect/{client}", { params: opencode, body: {} });
    const done = await connect();
    assert.equal(done.config_path, json);
    // Preferred, and made since.
    home.put(".config/opencode/opencode.jsonc", "{}\n");
    const body = { backup_name: basename(done.backup_path!) };
    assert.equal((await call(app, "POST /api/v1/connect/{client}/undo", { params: opencode, body })).config_path, json);
    assert.equal(readFileSync(json, "utf8"), "{}\n");
    rmSync(join(dirname(json), "opencode.jsonc"));
    await connect();
    home.put(".config/opencode/opencode.jsonc", "{}\n");
    const gone = await call(app, "DELETE /api/v1/connect/{client}", { params: opencode });
    assert.deepEqual([gone.action, gone.config_path], ["removed", json]);
  }));
