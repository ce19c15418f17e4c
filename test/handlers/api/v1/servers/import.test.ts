import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

const TEXT = "POST /api/v1/servers/import/json";
const FILE = "POST /api/v1/servers/import/path";
const GIT = { command: "git-mcp", args: ["--token=abcd1234efgh5678"], env: { TOKEN: "s3cr3t-value-1", MODE: "x" } };
const CONTENT = JSON.stringify({
  mcpServers: {
    git: GIT,
    web: { url: "https://w.example/mcp", headers: { Authorization: "Bearer abcdefgh12345678" } },
    bad: { url: "ftp://w.example/x" },
    none: { note: "no server" },
  },
});
const names = (app: TestApp) => app.config.current().mcpServers.map(({ name }) => name);
const file = (app: TestApp) => readFileSync(join(app.dir, "mcp_config.json"), "utf8");

test("a preview says what would be added or not, masks secrets and changes nothing", () =>
  withApp({ connect: false }, async (app) => {
    const before = file(app);
    const done = await call(app, TEXT, { query: { preview: "true" }, body: { content: CONTENT } });

    assert.deepEqual(done.summary, { total: 4, imported: 2, skipped: 1, failed: 1 });
    assert.deepEqual([done.preview, done.format, file(app)], [true, "json", before]);
    const [git, web] = done.imported;
    assert.deepEqual([git?.name, git?.protocol, git?.quarantined], ["git", "stdio", true]);
    assert.deepEqual(git?.secrets, [{ field: "env.TOKEN" }, { field: "args.0" }]);
    assert.deepEqual([web?.protocol, web?.secrets], ["http", [{ field: "headers.Authorization" }]]);
    assert.deepEqual(
      done.skipped.map(({ name, reason }) => [name, reason]),
      [["none", "not_a_server"]],
    );
    assert.match(done.failed[0]?.error ?? "", /url.*must be an http or https URL/);
    assert.match(done.warnings.join(), /in plain text/);
    assert.doesNotMatch(JSON.stringify(done), /abcd1234|s3cr3t|abcdefgh1234/);
  }));

test("an import adds in one write, in quarantine, records each, and does nothing the second time", () =>
  withApp({ connect: false }, async (app) => {
    const versions = async () => (await call(app, "GET /api/v1/config/history", {})).versions.length;
    const before = await versions();
    const done = await call(app, TEXT, { body: { content: CONTENT } });

    assert.equal(done.summary.imported, 2);
    assert.deepEqual(names(app), ["git", "web"]);
    assert.equal((await versions()) - before, 1);
    const { servers } = await call(app, "GET /api/v1/servers", {});
    assert.ok(servers.every((server) => server.quarantined));
    assert.equal(app.config.current().mcpServers[0]?.env?.TOKEN, "s3cr3t-value-1");
    const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "server_change" } });
    assert.deepEqual(activities.map(({ server_name }) => server_name).sort(), ["git", "web"]);

    const again = await call(app, TEXT, { body: { content: CONTENT } });
    assert.deepEqual([again.summary.imported, again.summary.skipped], [0, 3]);
    assert.deepEqual(names(app), ["git", "web"]);
  }));

test("secrets go to the keyring on request, and never reach the file", () =>
  withApp({ connect: false }, async (app) => {
    await app.secrets.set("git-TOKEN", "another");
    const query = { secrets_to_keyring: "true" } as const;
    const preview = await call(app, TEXT, { query: { ...query, preview: "true" }, body: { content: CONTENT } });
    assert.deepEqual(await app.secrets.list(), ["git-TOKEN"]);

    const done = await call(app, TEXT, { query, body: { content: CONTENT } });

    assert.deepEqual(done.imported, preview.imported);
    const { kind: backend } = await app.secrets.confirmedBackend();
    assert.deepEqual(done.imported[0]?.secrets, [
      { field: "env.TOKEN", stored_as: "git-TOKEN-2", backend },
      { field: "args.0", stored_as: "git-token", backend },
    ]);
    assert.deepEqual(
      [await app.secrets.get("git-TOKEN"), await app.secrets.get("git-TOKEN-2")],
      ["another", "s3cr3t-value-1"],
    );
    const [git, web] = app.config.current().mcpServers;
    assert.deepEqual(git?.env, { TOKEN: "${keyring:git-TOKEN-2}", MODE: "x" });
    assert.deepEqual(git?.args, ["--token=${keyring:git-token}"]);
    assert.deepEqual(web?.headers, { Authorization: "${keyring:web-Authorization}" });
    assert.doesNotMatch(file(app), /abcd1234|s3cr3t|abcdefgh1234/);
    assert.deepEqual(done.warnings, []);
  }));

test("secrets are forgotten again when the configuration cannot be written", () =>
  withApp({ connect: false }, async (app) => {
    writeFileSync(join(app.dir, "mcp_config.json"), "{ broken");
    const query = { secrets_to_keyring: "true" } as const;
    await assert.rejects(call(app, TEXT, { query, body: { content: CONTENT } }), {
      status: 409,
      code: "config_broken",
    });

    assert.deepEqual(await app.secrets.list(), []);
    assert.deepEqual(names(app), []);
  }));

test("only what is asked for is taken, under the names that are asked for, and without quarantine on request", () =>
  withApp({ connect: false }, async (app) => {
    const body = { content: CONTENT, server_names: ["git"], rename: { git: "source" }, format: "cursor" };
    const done = await call(app, TEXT, { query: { skip_quarantine: "true" }, body });

    assert.deepEqual([done.format, done.format_name, done.summary.imported], ["cursor", "Cursor", 1]);
    const [server] = app.config.current().mcpServers;
    assert.deepEqual([server?.name, server?.quarantined], ["source", false]);
  }));

test("known clients' files are listed by whether they are there, and one is read by its place", () =>
  withApp({ connect: false }, async (app) => {
    const paths = async () => (await call(app, "GET /api/v1/servers/import/paths", {})).paths;
    const codex = (list: Awaited<ReturnType<typeof paths>>) => list.find(({ format }) => format === "codex")!;
    assert.ok((await paths()).every(({ exists }) => !exists));
    const { path } = codex(await paths());
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, '[mcp_servers.git]\ncommand = "git-mcp"\n');
    assert.equal(codex(await paths()).exists, true);

    const done = await call(app, FILE, { body: { path: path.replace(app.dir, "~") } });

    assert.deepEqual([done.format, names(app)], ["codex", ["git"]]);
  }));

test("a file that cannot be read is a refusal that names it, never a hang or a 500", (t) =>
  withApp({ connect: false }, async (app) => {
    const status = async (path: string) => {
      const answer = await ask(app, FILE, { body: { path } });
      return [answer.status, answer.body.code];
    };
    assert.deepEqual(await status(join(app.dir, "none.json")), [404, "no_such_record"]);
    assert.deepEqual(await status(app.dir), [400, "invalid_request"]);
    assert.deepEqual(await status("relative.json"), [400, "invalid_request"]);
    writeFileSync(join(app.dir, "bytes"), new Uint8Array([0xff, 0xfe, 0x00]));
    assert.deepEqual(await status(join(app.dir, "bytes")), [400, "invalid_request"]);
    writeFileSync(join(app.dir, "large"), new Uint8Array(10 * 1024 * 1024 + 1));
    assert.deepEqual(await status(join(app.dir, "large")), [413, "body_too_large"]);
    if (process.platform === "win32") return;
    execFileSync("mkfifo", [join(app.dir, "pipe")]);
    assert.deepEqual(await status(join(app.dir, "pipe")), [400, "invalid_request"]);
    if (process.getuid?.() === 0) return t.diagnostic("root reads every file");
    writeFileSync(join(app.dir, "closed"), "{}");
    chmodSync(join(app.dir, "closed"), 0);
    assert.deepEqual(await status(join(app.dir, "closed")), [403, "file_denied"]);
  }));

test("a file can be uploaded as a form", () =>
  withApp({ connect: false }, async (app) => {
    const upload = async (form: FormData, query = "") => {
      const request = new Request("http://localhost/", { method: "POST", body: form });
      const as = { "x-api-key": TEST_KEY, "content-type": request.headers.get("content-type")! };
      const body = new Uint8Array(await request.arrayBuffer());
      return ask(app, `POST /api/v1/servers/import${query}`, { as, body });
    };
    const form = new FormData();
    form.set("file", new Blob([CONTENT]), "mcp.json");
    const done = await upload(form, "?server_names=git,%20web&preview=true");
    assert.deepEqual([done.status, done.body.data.summary.imported], [200, 2]);
    assert.deepEqual(names(app), []);
    assert.equal((await upload(form, "?server_names=git")).status, 200);
    assert.deepEqual(names(app), ["git"]);

    assert.equal((await upload(new FormData())).status, 400);
    const none = await ask(app, "POST /api/v1/servers/import", { as: { "x-api-key": TEST_KEY } });
    assert.match(none.body.error, /send the file as "file" of a multipart form/);
    assert.equal((await ask(app, "POST /api/v1/servers/import", { body: {} })).status, 415);
  }));

test("nothing is imported where the configuration may not be changed", () =>
  withApp({ connect: false, config: { read_only_mode: true } }, async (app) => {
    const { status, body } = await ask(app, TEXT, { body: { content: CONTENT } });
    assert.deepEqual([status, body.code], [403, "management_disabled"]);
  }));
