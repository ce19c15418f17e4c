import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

const POST = "POST /api/v1/servers";
const PATCH = "PATCH /api/v1/servers/{name}";
const notes = { name: "notes", url: "http://127.0.0.1:9/mcp", command: "notes-server", args: ["--port", "9"] };

test("a server with a command and a url is kept and shown with both", () =>
  withApp({ connect: false }, async (app) => {
    await call(app, POST, { body: { ...notes, launcher_wait_timeout: "45s" } });

    const server = await call(app, "GET /api/v1/servers/{name}", { params: { name: "notes" } });

    const { protocol, url, command, args, launcher_wait_timeout, quarantined } = server;
    assert.deepEqual(
      { protocol, url, command, args, launcher_wait_timeout, quarantined },
      {
        protocol: "http",
        url: notes.url,
        command: notes.command,
        args: notes.args,
        launcher_wait_timeout: "45s",
        quarantined: true,
      },
    );
  }));

for (const [rule, change, reason] of [
  [
    "an address elsewhere",
    { url: "http://192.0.2.1:9/mcp" },
    /its url must lead to this machine .* not to 192\.0\.2\.1:9/,
  ],
  ["a wait that is none", { launcher_wait_timeout: "soon" }, /launcher_wait_timeout: .*is not a duration/],
  ["a wait too long", { launcher_wait_timeout: "2h" }, /launcher_wait_timeout: must be 0 or 1s to 30m/],
] as const)
  test(`${rule} is refused for it, new or changed`, () =>
    withApp({ connect: false, servers: [notes] }, async (app) => {
      const added = await ask(app, POST, { body: { ...notes, name: "more", ...change } });
      const changed = await ask(app, "PATCH /api/v1/servers/notes", { body: change });

      for (const { status, body } of [added, changed]) {
        assert.equal(status, 400);
        assert.match(String((body as { error: string }).error), reason);
      }
    }));

test("a url that was there waits for nothing once the command is gone, and back", () =>
  withApp({ connect: false, servers: [notes] }, async (app) => {
    const shown = async (body: Record<string, string | null>) => {
      await call(app, PATCH, { params: { name: "notes" }, body });
      return call(app, "GET /api/v1/servers/{name}", { params: { name: "notes" } });
    };

    const remote = await shown({ command: null, url: "https://notes.example.com/mcp" });
    assert.deepEqual([remote.protocol, remote.command], ["http", undefined]);
    const program = await shown({ command: "notes-server", url: null });
    assert.deepEqual([program.protocol, program.url], ["stdio", undefined]);
  }));

test("signing in to it is not for each user", () =>
  withApp({ connect: false }, async (app) => {
    await assert.rejects(
      app.config.update((draft) => {
        draft.mcpServers.push({ ...notes, enabled: true, auth_broker: { mode: "oauth_connect" } });
      }, "test"),
      /auth_broker: is for remote servers, not for a local server/,
    );
  }));
