import assert from "node:assert/strict";
import fs, { readFileSync } from "node:fs";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { CLIENTS } from "#lib/modules/connect/clients.ts";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  [
    "rest.connect.list",
    "rest.connect.exists",
    "rest.connect.proxy-url",
    "rest.connect.listing-reads-nothing",
    "rest.connect.privacy",
    "rest.connect.states",
    "rest.connect.endpoint-match",
  ],
  "the listing tells every client by its file's metadata, and opens none",
  async (t) => {
    await withHome({}, async (app, home) => {
      const file = home.put(".cursor/mcp.json", CURSOR);
      await ask(app, "GET /api/v1/connect");
      const opened: string[] = [];
      for (const name of ["open", "readFile", "readdir", "lstat", "realpath"] as const) {
        const real = fsp[name] as (...args: unknown[]) => unknown;
        t.mock.method(fsp, name, (...args: unknown[]) => {
          opened.push(`${name} ${String(args[0])}`);
          return real.apply(fsp, args);
        });
      }
      syncBuiltinESMExports();
      const clients = await call(app, "GET /api/v1/connect", {});
      t.mock.restoreAll();
      syncBuiltinESMExports();
      assert.deepEqual(
        opened.filter((what) => what.includes(home.path) || what.includes(".cursor")),
        [],
      );
      assert.deepEqual(
        clients.map((c) => c.id),
        CLIENTS.map((c) => c.id),
      );
      const cursor = clients.find((c) => c.id === "cursor")!;
      assert.deepEqual([cursor.exists, cursor.config_path], [true, file]);
      assert.deepEqual([cursor.connected, cursor.access_state, cursor.endpoint_match], [false, "unknown", ""]);
      for (const client of clients) {
        assert.equal(client.proxy_url, "http://127.0.0.1:8080/mcp");
        assert.equal(client.registered_url, undefined);
        assert.equal(client.exists, client.id === "cursor", client.id);
      }
      assert.equal(readFileSync(file, "utf8"), CURSOR);
      assert.ok(fs.existsSync(file));
    });
  },
);
