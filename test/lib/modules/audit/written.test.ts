import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands } from "#cli/commands.gen.ts";
import { cli } from "#test/kit/cli.ts";
import { ask } from "#test/kit/http.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

const CANARY = "sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0";

verifies(
  ["audit.authz", "audit.path"],
  "every decision and call has its line: who asked, what was decided and why, how it ended; no argument, no secret",
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), "proxy-"));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    const path = join(dir, "trail", "audit.log");
    const hidden = { ...program("hidden"), enabled: false };
    const { app, post, key } = await serve(t, {
      dir,
      config: { audit_log: { path: "trail/audit.log" } },
      servers: [program("up"), hidden],
      connect: true,
    });
    const made = await ask(app, "POST /api/v1/tokens", {
      body: { name: "bot", allowed_servers: ["up"], permissions: ["read"] },
    });
    const token = { authorization: `Bearer ${made.body.data.token}` };
    const tool = (name: string, args: object, headers: Record<string, string>) =>
      post(toolCall("call_tool_read", { name, args, intent: { operation_type: "read" } }), {
        headers: { ...headers, "x-request-id": `r-${name.replace(":", "-")}` },
      });

    await tool("up:echo", { text: CANARY }, { "x-api-key": key });
    await tool("up:echo", { text: CANARY }, token);
    await tool("hidden:echo", { password: CANARY }, token);
    await tool("up:nothing", { b: 1, a: 2 }, {});
    await post(toolCall("call_tool_read", {}), { headers: { "x-api-key": CANARY } });
    await ask(app, `GET /api/v1/status?apikey=${CANARY}`, { as: "nobody" });
    await ask(app, "GET /api/v1/servers", { as: "nobody" });
    await ask(app, "PATCH /api/v1/config", { as: token, body: { tools_limit: 3 } });
    await ask(app, "PATCH /api/v1/config", { body: { tools_limit: 3 } });
    await ask(app, "GET /healthz", {});
    await app.close();

    const text = readFileSync(path, "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const told = lines.map(({ event, caller, operation, decision, reason, server, tool: name, outcome, action }) =>
      [event, caller?.kind, operation ?? action, decision ?? outcome, server && `${server}:${name}`, reason]
        .filter((one) => one !== undefined)
        .join(" "),
    );
    for (const line of [
      "audit_start",
      "authz api_key tools/call allow up:echo",
      "tool_call api_key success up:echo",
      "authz agent_token tools/call allow up:echo",
      "authz agent_token tools/call deny hidden:echo server_not_in_scope",
      "authz anonymous tools/call deny up:nothing not_found",
      "authz anonymous connect deny unauthenticated",
      "authz anonymous GET /api/v1/servers deny unauthenticated",
      "authz agent_token PATCH /api/v1/config deny admin_required",
      "authz api_key PATCH /api/v1/config allow",
    ])
      assert.ok(told.includes(line), `${line}\n--\n${told.join("\n")}`);
    assert.ok(told.some((line) => line.startsWith("config_change api_key")));
    assert.ok(!told.some((line) => line.includes("healthz")));
    assert.ok(!text.includes(CANARY) && !text.includes(made.body.data.token) && !text.includes(key));
    const silent = lines.find((line) => line.server === "hidden");
    assert.deepEqual([silent.disclosed, silent.caller.token_name, silent.request_id], [false, "bot", "r-hidden-echo"]);
    const [a, b] = lines.filter((line) => line.server === "up" && line.decision === "allow");
    assert.equal(a.args_sha256, b.args_sha256);
    assert.match(a.args_sha256, /^[0-9a-f]{64}$/);

    const whole = await cli(["audit", "verify", "-d", dir], commands);
    assert.deepEqual([whole.code, whole.err], [0, ""]);
    assert.match(whole.out, new RegExp(`${lines.length} line\\(s\\) in 1 file\\(s\\), intact`));
    writeFileSync(path, text.replace('"decision":"deny"', '"decision":"allow"'));
    const bad = await cli(["audit", "verify", "-d", dir, "-o", "json"], commands);
    assert.deepEqual([bad.code, JSON.parse(bad.out).problems[0].kind], [1, "altered"]);
  },
);

verifies(
  "audit.path",
  "a trail that was never begun is said to be missing, and a copy is checked without its end",
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), "proxy-"));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    const none = await cli(["audit", "verify", "-d", dir], commands);
    assert.deepEqual([none.code, none.out], [2, ""]);
    assert.match(none.err, /has no audit log/);
    const file = join(dir, "copy.log");
    const missing = await cli(["audit", "verify", file, "-d", dir], commands);
    assert.deepEqual([missing.code, missing.out], [2, ""]);
    assert.match(missing.err, /copy\.log does not exist; correct the path/);
    assert.match((await cli(["audit", "verify", dir, "-d", dir], commands)).err, /is a folder; name a file/);
  },
);
