import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { ask, call } from "#test/kit/http.ts";

const MOVE = "POST /api/v1/connect/{client}/move";
const params = { client: "cursor" };
const FILE = ".cursor/mcp.json";
const TEXT = `{
  // mine
  "mcpServers": {
    "git": { "command": "git-mcp", "args": ["."], "env": { "TOKEN": "s3cr3t-value-1" } },
    "web": { "url": "https://w.example/mcp" },
    "own": { "command": "own-mcp" },
  }
}
`;
const servers = [
  { name: "source", command: "git-mcp", args: ["."] },
  { name: "own", command: "another-program" },
];

test("entries whose servers the proxy has leave the file, under whatever name it has them; an undo puts them back byte for byte", () =>
  withHome({ servers }, async (app, home) => {
    const file = home.put(FILE, TEXT);

    const done = await call(app, MOVE, { params, body: { server_names: ["git", "web", "own"] } });

    assert.deepEqual(done.removed, ["git"], "web is unknown here, and another program is called own");
    const now = readFileSync(file, "utf8");
    assert.equal(now, TEXT.replace(/ {4}"git".*\n/, ""));
    assert.ok(!JSON.stringify(done).includes("s3cr3t-value-1"));
    assert.equal(readFileSync(done.backup_path!, "utf8"), TEXT);
    await call(app, "POST /api/v1/connect/{client}/undo", { params, body: {} });
    assert.equal(readFileSync(file, "utf8"), TEXT);
  }));

test("a preview names what would leave the file after the import, and changes nothing", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, TEXT);

    const { removed, backup_path } = await call(app, MOVE, {
      params,
      body: { server_names: ["web"], preview: true },
    });

    assert.deepEqual([removed, backup_path], [["web"], undefined]);
    assert.equal(readFileSync(file, "utf8"), TEXT);
  }));

test("where there is nothing to take out nothing is written", () =>
  withHome({}, async (app, home) => {
    const none = await call(app, MOVE, { params, body: { server_names: ["git"] } });
    assert.deepEqual(none.removed, []);
    assert.ok(!existsSync(`${home.path}/${FILE}`));
    const file = home.put(FILE, CURSOR);
    await call(app, MOVE, { params, body: { server_names: ["other"] } });
    assert.equal(readFileSync(file, "utf8"), CURSOR);
  }));

test("a broken file and an unknown client are refused", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, '{"mcpServers": ');
    const { status, body } = await ask(app, "POST /api/v1/connect/cursor/move", { body: { server_names: ["a"] } });
    assert.deepEqual([status, body.code], [400, "connect_refused"]);
    writeFileSync(file, TEXT);
    assert.equal((await ask(app, "POST /api/v1/connect/none/move", { body: { server_names: [] } })).status, 404);
  }));
