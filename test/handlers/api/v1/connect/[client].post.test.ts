import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { handClock } from "#test/kit/clock.ts";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const CONNECT = "POST /api/v1/connect/{client}";
const params = { client: "cursor" };
const FILE = ".cursor/mcp.json";
const now = Date.UTC(2026, 4, 6, 7, 8, 9);
const clock = () => handClock(now);
const listing = (file: string) => readdirSync(dirname(file)).sort();

verifies(
  [
    "rest.connect.post",
    "rest.connect.backup-name",
    "rest.connect.backup-suffix",
    "rest.connect.backup-path",
    "rest.connect.token-omitted",
    "rest.limit.backups",
  ],
  "a connect copies the file with its mode, then writes; copies of one second are told apart and all stay",
  () =>
    withHome({ clock: clock() }, async (app, home) => {
      const file = home.put(FILE, CURSOR);
      chmodSync(file, 0o640);
      const names = ["one", "two", "three"];
      const copies: string[] = [];
      for (const server_name of names) {
        const before = readFileSync(file);
        const done = await call(app, CONNECT, { params, body: { server_name } });
        assert.equal(done.action, "created");
        assert.deepEqual(readFileSync(done.backup_path!), before);
        copies.push(done.backup_path!);
      }
      assert.deepEqual(copies, [
        `${file}.bak.20260506-070809`,
        `${file}.bak.20260506-070809-1`,
        `${file}.bak.20260506-070809-2`,
      ]);
      for (const path of [file, ...copies]) assert.equal(statSync(path).mode & 0o777, 0o640);
      assert.equal(listing(file).length, 4);
      const text = readFileSync(file, "utf8");
      for (const name of names) assert.ok(text.includes(`"${name}": {`));
      assert.ok(text.includes("// mine"));
    }),
);

verifies(
  ["rest.connect.409-exists", "rest.error.409"],
  "an entry of the same name is a conflict until force is said",
  () =>
    withHome({}, async (app, home) => {
      const text = '{ "mcpServers": { "mcpproxy": { "url": "http://elsewhere/mcp" } } }';
      const file = home.put(FILE, text);
      const { status, body } = await ask(app, "POST /api/v1/connect/cursor", { body: {} });
      assert.deepEqual([status, body.success, body.action], [409, false, "already_exists"]);
      assert.deepEqual(
        [body.data.client, body.data.server_name, body.data.action],
        ["cursor", "mcpproxy", "already_exists"],
      );
      assert.deepEqual([readFileSync(file, "utf8"), listing(file)], [text, ["mcp.json"]]);
      assert.equal((await call(app, CONNECT, { params, body: { force: true } })).action, "updated");
    }),
);

verifies(
  ["rest.connect.token-stale", "rest.connect.409-precondition", "rest.connect.preview-token"],
  "what was previewed is written, or nothing: another file, entry or address makes a token stale, force or not",
  () =>
    withHome({}, async (app, home) => {
      const preview = async (server_name = "") =>
        (await call(app, "GET /api/v1/connect/{client}/preview", { params, query: { server_name } }))
          .precondition_token;
      const stale = async (precondition_token: string, server_name = "") => {
        const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
        const { status, body } = await ask(app, "POST /api/v1/connect/cursor", {
          body: { server_name, force: true, precondition_token },
        });
        assert.deepEqual([status, body.action], [409, "precondition_failed"]);
        assert.equal(existsSync(file) ? readFileSync(file, "utf8") : undefined, before);
      };
      const file = join(home.path, FILE);
      const absent = await preview();
      home.put(FILE, CURSOR);
      await stale(absent);
      const first = await preview();
      assert.equal(first, await preview());
      await stale(first, "another-name");
      await stale("");
      writeFileSync(file, `${CURSOR}\n`);
      await stale(first);
      const second = await preview();
      app.boot.listenAddr = "127.0.0.1:9090";
      await stale(second);
      assert.deepEqual(listing(file), ["mcp.json"], "no copy was made");
      const done = await call(app, CONNECT, { params, body: { force: false, precondition_token: await preview() } });
      assert.equal(done.action, "created");
      assert.ok(readFileSync(file, "utf8").includes("http://127.0.0.1:9090/mcp"));
    }),
);

verifies(
  ["rest.connect.403", "rest.error.403"],
  "a file that may not be opened is 403 with the remedy, on every route",
  (t) =>
    withHome({}, async (app, home) => {
      const file = home.put(FILE, CURSOR);
      const real = fsp.open;
      t.mock.method(fsp, "open", (...args: Parameters<typeof real>) => {
        if (String(args[0]) === file) throw Object.assign(new Error("denied"), { code: "EPERM" });
        return real(...args);
      });
      syncBuiltinESMExports();
      try {
        for (const [route, body] of [
          ["POST /api/v1/connect/cursor", {}],
          ["DELETE /api/v1/connect/cursor", undefined],
          ["GET /api/v1/connect/cursor/preview", undefined],
          ["POST /api/v1/connect/cursor/undo", {}],
        ] as const) {
          const answer = await ask(app, route, { body });
          assert.deepEqual([answer.status, answer.body.code], [403, "connect_denied"], route);
          assert.match(answer.body.remediation, /chmod/);
          assert.equal(answer.body.error, answer.body.remediation);
        }
      } finally {
        t.mock.restoreAll();
        syncBuiltinESMExports();
      }
      assert.deepEqual(listing(file), ["mcp.json"]);
    }),
);

test("what is no regular file of the person is left alone, and a link stays one", () =>
  withHome({}, async (app, home) => {
    const file = join(home.path, FILE);
    const target = home.put("dotfiles/cursor.json", CURSOR);
    home.put(".cursor/x", "");
    symlinkSync(target, file);
    const done = await call(app, CONNECT, { params, body: {} });
    assert.equal(dirname(done.backup_path!), dirname(file));
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.ok(readFileSync(target, "utf8").includes("mcpproxy"));

    await fsp.rm(file);
    symlinkSync(join(home.path, "nowhere"), file);
    await assert.rejects(call(app, CONNECT, { params, body: {} }), {
      code: "connect_refused",
      message: /is a broken symbolic link/,
    });
    await fsp.rm(file);
    await fsp.mkdir(file);
    await assert.rejects(call(app, CONNECT, { params, body: {} }), { status: 400, code: "connect_refused" });
  }));

test("text that is not UTF-8 and names that are no names are refused", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, "");
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    await assert.rejects(call(app, CONNECT, { params, body: {} }), { code: "connect_refused", message: /UTF-8/ });
    for (const server_name of ["../x", "a b", "__proto__", '"', "x".repeat(65)])
      await assert.rejects(call(app, CONNECT, { params, body: { server_name } }), { code: "invalid_request" });
  }));

const TOKEN = /mcp_agt_[0-9a-f]{64}/;

for (const config of [{ require_mcp_auth: true }, { listen: "0.0.0.0:8080" }])
  test(`a credential is an agent token of the client's own, never the administrator's key (${JSON.stringify(config)})`, () =>
    withHome({ config }, async (app, home) => {
      const file = home.put(FILE, CURSOR);
      const seen = await call(app, "GET /api/v1/connect/{client}/preview", { params, query: {} });
      assert.deepEqual([seen.contains_api_key, seen.credential], [true, "agent_token"]);
      assert.match(seen.note!, /agent token/);
      assert.equal(app.store.tokens.all().length, 0, "a preview makes none");
      await call(app, CONNECT, { params, body: { precondition_token: seen.precondition_token } });
      const text = readFileSync(file, "utf8");
      const [secret] = TOKEN.exec(text)!;
      assert.ok(!text.includes(app.boot.apiKey));
      assert.ok(text.includes("http://127.0.0.1:8080/mcp"));
      const caller = verifyToken(app, secret);
      assert.ok(typeof caller === "object" && caller.tier === "agent" && caller.name === "connect-cursor");

      // Once more: the token that is there stays, and nothing shows it.
      const again = await call(app, "GET /api/v1/connect/{client}/preview", { params, query: {} });
      assert.ok(!JSON.stringify(again).includes(secret.slice(8, -2)));
      assert.match(again.note!, /stays/);
      assert.equal((await call(app, CONNECT, { params, body: { force: true } })).action, "already_exists");

      await call(app, "DELETE /api/v1/connect/{client}", { params });
      assert.equal(verifyToken(app, secret), "revoked");
      await call(app, CONNECT, { params, body: {} });
      assert.deepEqual(
        app.store.tokens.all().map((row) => row.name),
        ["connect-cursor"],
        "the dead one makes room",
      );
      assert.ok(!readFileSync(file, "utf8").includes(secret));
    }));

test("a connect that fails leaves no token behind", (t) =>
  withHome({ config: { require_mcp_auth: true } }, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    t.mock.method(fsp, "rename", () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })));
    syncBuiltinESMExports();
    try {
      await assert.rejects(call(app, CONNECT, { params, body: {} }));
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.deepEqual(app.store.tokens.all(), []);
    assert.equal(readFileSync(file, "utf8"), CURSOR);
  }));

test("connects of the same file at the same time take turns, and none is lost", () =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    await Promise.all(names.map((server_name) => call(app, CONNECT, { params, body: { server_name } })));
    const text = readFileSync(file, "utf8");
    for (const name of names) assert.ok(text.includes(`"${name}"`));
  }));

test("a file that may be read but not written is refused by preview and connect alike, before a copy is made", (t) =>
  withHome({}, async (app, home) => {
    const file = home.put(FILE, CURSOR);
    const real = fsp.access;
    t.mock.method(fsp, "access", (...args: Parameters<typeof real>) =>
      String(args[0]) === file
        ? Promise.reject(Object.assign(new Error("read-only"), { code: "EACCES" }))
        : real(...args),
    );
    syncBuiltinESMExports();
    try {
      const seen = await call(app, "GET /api/v1/connect/{client}/preview", { params, query: {} });
      assert.match(seen.connect_refusal!, /chmod/);
      const refused = { status: 403, code: "connect_denied", message: seen.connect_refusal };
      await assert.rejects(call(app, CONNECT, { params, body: {} }), refused);
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.deepEqual([readFileSync(file, "utf8"), listing(file)], [CURSOR, ["mcp.json"]]);
  }));

test("a pipe in the file's place is not waited for, and a file without end is not read", (t) =>
  withHome({}, async (app, home) => {
    if (process.platform === "win32") return t.skip("needs mkfifo");
    const file = home.put(FILE, "");
    truncateSync(file, 33 * 1024 * 1024);
    await assert.rejects(call(app, CONNECT, { params, body: {} }), { code: "connect_refused", message: /larger than/ });
    await fsp.rm(file);
    execFileSync("mkfifo", [file]);
    await assert.rejects(call(app, CONNECT, { params, body: {} }), {
      code: "connect_refused",
      message: /regular file/,
    });
  }));
