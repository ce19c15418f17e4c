import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { testApp } from "#test/kit/app.ts";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const UNDO = "POST /api/v1/connect/{client}/undo";
const CONNECT = "POST /api/v1/connect/{client}";
const params = { client: "cursor" };
const FILE = ".cursor/mcp.json";

verifies(
  ["rest.connect.post-undo", "rest.connect.undo-restore", "rest.connect.undo-backup", "rest.connect.undo-result"],
  "an undo restores the bytes from before, an entry overwritten by force included, and keeps what it replaced",
  () =>
    withHome({}, async (app, home) => {
      const before = '\uFEFF{ "mcpServers": {\r\n\t"mcpproxy" : { "url":"http://elsewhere/mcp" } /* mine */ }, }';
      const file = home.put(FILE, before);
      chmodSync(file, 0o640);
      const done = await call(app, CONNECT, { params, body: { force: true } });
      const wrote = readFileSync(file);
      const undone = await call(app, UNDO, { params, body: { backup_name: basename(done.backup_path!) } });
      assert.equal(undone.action, "restored");
      assert.equal(readFileSync(file, "utf8"), before);
      assert.deepEqual(readFileSync(undone.backup_path!), wrote);
      assert.equal(statSync(file).mode & 0o777, 0o640);
      assert.ok(existsSync(done.backup_path!), "no copy is ever deleted");
    }),
);

verifies("rest.connect.undo-delete", "an undo without a backup deletes the file that the connect made", () =>
  withHome({}, async (app, home) => {
    const file = join(home.path, FILE);
    await call(app, CONNECT, { params, body: {} });
    const wrote = readFileSync(file);
    const undone = await call(app, UNDO, { params, body: { server_name: "", backup_name: "" } });
    assert.equal(undone.action, "deleted");
    assert.ok(!existsSync(file));
    assert.deepEqual(readFileSync(undone.backup_path!), wrote);
  }),
);

verifies(
  ["rest.connect.undo-changed", "rest.error.409"],
  "a file that is no longer what the connect wrote is left alone",
  () =>
    withHome({}, async (app, home) => {
      const file = home.put(FILE, CURSOR);
      const done = await call(app, CONNECT, { params, body: {} });
      const body = { backup_name: basename(done.backup_path!) };
      const changed = `${readFileSync(file, "utf8")} `;
      writeFileSync(file, changed);
      const conflict = { status: 409, code: "undo_changed" };
      await assert.rejects(call(app, UNDO, { params, body }), conflict);
      assert.equal(readFileSync(file, "utf8"), changed);
      rmSync(file);
      await assert.rejects(call(app, UNDO, { params, body }), conflict);
      // What no connect wrote cannot be deleted by way of an undo.
      writeFileSync(file, CURSOR);
      await assert.rejects(call(app, UNDO, { params, body: { backup_name: "" } }), conflict);
      assert.equal(readFileSync(file, "utf8"), CURSOR);
    }),
);

verifies(
  ["rest.connect.undo-vanished", "rest.connect.undo-bad-name", "rest.connect.undo-bare-name"],
  "a backup that is gone is 404; a path or another file's name is 400",
  () =>
    withHome({}, async (app, home) => {
      home.put(FILE, CURSOR);
      home.put("mcp.json.bak.20260101-000000", CURSOR);
      const done = await call(app, CONNECT, { params, body: {} });
      const name = basename(done.backup_path!);
      for (const backup_name of [
        done.backup_path!,
        `../${name}`,
        `./${name}`,
        `..\\${name}`,
        "mcp.json",
        "settings.json.bak.20260101-000000",
        "mcp.json.bak.",
        "mcp.json.bak.20260101-000000/../x",
        "mcp.json.bak.20260101-000000-",
        "mcp.json.bak.*",
      ])
        await assert.rejects(call(app, UNDO, { params, body: { backup_name } }), { status: 400 }, backup_name);
      const vanished = { status: 404, code: "no_such_record" };
      await assert.rejects(
        call(app, UNDO, { params, body: { backup_name: "mcp.json.bak.20260101-000000" } }),
        vanished,
      );
      rmSync(done.backup_path!);
      await assert.rejects(call(app, UNDO, { params, body: { backup_name: name } }), vanished);
    }),
);

test("an undo that names no backup takes back the newest connect: one file restored, then one deleted", () =>
  withHome({}, async (app, home) => {
    const file = join(home.path, FILE);
    await call(app, CONNECT, { params, body: {} });
    const first = readFileSync(file);
    await call(app, CONNECT, { params, body: { server_name: "second" } });

    const restored = await call(app, UNDO, { params, body: {} });
    assert.deepEqual([restored.action, restored.server_name], ["restored", "second"]);
    assert.deepEqual(readFileSync(file), first);

    assert.equal((await call(app, UNDO, { params, body: {} })).action, "deleted");
    assert.ok(!existsSync(file));
  }));

test("an undo that names no backup says when there is nothing to undo, and leaves a changed file alone", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const nothing = { status: 404, code: "no_such_record", message: /stored change of client "cursor"/ };
    await assert.rejects(call(app, UNDO, { params, body: {} }), nothing);

    await call(app, CONNECT, { params, body: {} });
    const changed = `${readFileSync(file, "utf8")} `;
    writeFileSync(file, changed);
    const refused = { status: 409, code: "undo_changed", message: /proxy connect remove cursor/ };
    await assert.rejects(call(app, UNDO, { params, body: {} }), refused);
    assert.equal(readFileSync(file, "utf8"), changed);
  }));

test("the token made for a connect ends with its undo", () =>
  withHome({ config: { require_mcp_auth: true } }, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const done = await call(app, CONNECT, { params, body: {} });
    const [secret] = /mcp_agt_[0-9a-f]{64}/.exec(readFileSync(file, "utf8"))!;
    assert.equal(typeof verifyToken(app, secret), "object");
    await call(app, UNDO, { params, body: { backup_name: basename(done.backup_path!) } });
    assert.equal(verifyToken(app, secret), "revoked");
  }));

test("a connect can be undone after a restart", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const options = { connect: false, dir: join(home.path, "data"), env: { HOME: home.path } };
    home.put("data/x", "");
    const first = await testApp(options);
    const done = await call(first, CONNECT, { params, body: {} });
    await first.close();
    const second = await testApp(options);
    try {
      await call(second, UNDO, { params, body: { backup_name: basename(done.backup_path!) } });
      assert.equal(readFileSync(file, "utf8"), CURSOR);
      assert.ok(app);
    } finally {
      await second.close();
    }
  }));
