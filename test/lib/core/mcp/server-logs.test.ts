import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { ask } from "#test/kit/era.ts";
import { jsonOf, type Served, serve } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

interface Logged {
  level: string;
  logger?: string | undefined;
  data: unknown;
}

/** A proxy in front of a server of the official SDK that writes log messages. */
async function open(t: TestContext, sdk = "1", transport = "stdio", config: Record<string, unknown> = {}) {
  let where: object = {
    command: process.execPath,
    args: ["test/programs/upstream-live.mjs", sdk, transport],
    env: { SECRET: "correct-horse-battery" },
  };
  if (transport === "http") {
    const upstream = await startProgram("upstream-live.mjs", sdk, transport);
    t.after(() => upstream.kill());
    where = { url: upstream.url };
  }
  const other = { name: "other", enabled: false, command: "false" };
  return serve(t, { servers: [{ name: "up", trust_mode: "auto", ...where }, other], connect: true, config });
}

/** A session of the 2025 family, and the log messages that it got. */
async function session({ client }: Served, headers: Record<string, string> = {}) {
  const official = await client("/mcp/all", headers);
  const got: Logged[] = [];
  official.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void got.push(params));
  const call = (name: string, args: object) => official.callTool({ name: `up__${name}`, arguments: { ...args } });
  return { official, got, call };
}

for (const [sdk, transport] of [
  ["1", "stdio"],
  ["1", "http"],
  ["2", "stdio"],
  ["2", "http"],
] as const)
  test(`a session gets the log messages of its calls at a server of SDK ${sdk} over ${transport}, from its level on`, async (t) => {
    const { official, got, call } = await session(await open(t, sdk, transport));

    await call("say", { level: "debug", text: "not asked for" });
    await call("say", { level: "info", text: "by default" });
    await official.setLoggingLevel("error");
    await call("say", { level: "warning", text: "below" });
    await call("say", { level: "error", text: "asked for" });

    assert.deepEqual(got, [
      { level: "info", logger: "up:tool", data: "by default" },
      { level: "error", logger: "up:tool", data: "asked for" },
    ]);
  });

for (const [sdk, transport] of [
  ["1", "stdio"],
  ["2", "http"],
] as const)
  test(`a request of 2026-07-28 gets the log messages that it asks for, and only those: server of SDK ${sdk}`, async (t) => {
    const served = await open(t, sdk, transport);
    const name = "up__say";
    const _meta = { "io.modelcontextprotocol/logLevel": "notice" };

    const silent = await ask(served, "tools/call", { name, arguments: { level: "error", text: "a" } });
    const below = await ask(served, "tools/call", { name, arguments: { level: "info", text: "b" }, _meta });
    const heard = await ask(served, "tools/call", { name, arguments: { level: "error", text: "c" }, _meta });

    assert.doesNotMatch(silent.text + below.text, /notifications\/message/);
    assert.match(
      heard.text,
      /"method":"notifications\/message","params":\{"level":"error","logger":"up:tool","data":"c"\}/,
    );
  });

test("a log level that is none is refused in both protocol generations", async (t) => {
  const served = await open(t);
  const { official } = await session(served);

  await assert.rejects(official.setLoggingLevel("loud" as "info"), { code: -32602 });
  const _meta = { "io.modelcontextprotocol/logLevel": "loud" };
  const { status, body } = await ask(served, "tools/list", { _meta });
  assert.deepEqual([status, body.error.code], [400, -32602]);
});

test("what belongs to no call goes to every session that listens and may see the server, from its level on", async (t) => {
  const served = await open(t);
  const key = await issue(served.app, { name: "elsewhere", allowed_servers: ["other"] });
  const all = await Promise.all([session(served), session(served), session(served)]);
  const [one, quiet, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
  const outsider = await session(served, { authorization: `Bearer ${key}` });
  await quiet.official.setLoggingLevel("emergency");

  await one.call("mutter", { level: "warning", text: "to all" });
  await until("it is there", () => one.got.length > 0 && third.got.length > 0);

  assert.deepEqual(one.got, [{ level: "warning", logger: "up", data: "to all" }]);
  assert.deepEqual([quiet.got, outsider.got], [[], []]);
});

test("a server gets the lowest level that a session asked for, and that again over a new connection", async (t) => {
  const served = await open(t);
  const { official, got, call } = await session(served);
  const other = await session(served);

  await official.setLoggingLevel("debug");
  await other.official.setLoggingLevel("error");
  await served.app.upstreams.get("up")!.restart("test");
  await until("the server has it", async () => {
    await call("say", { level: "debug", text: "fine" });
    return got.length > 0;
  });

  assert.equal(served.app.upstreams.logging.level, "debug");
  await (official.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
  await until("the level is the other one's", () => served.app.upstreams.logging.level === "error");
});

test("secrets of the server's definition are masked in log messages, and found ones taken out as in results", async (t) => {
  const served = await open(t, "1", "stdio", { output_sanitisation: { response_action: "redact" } });
  const { got, call } = await session(served);

  await call("say", { level: "error", text: "with correct-horse-battery" });
  await call("say", { level: "error", text: "key AKIAQ3EGRIY7XTJ5VWMZ of the account" });

  assert.equal(got.length, 2);
  assert.doesNotMatch(JSON.stringify(got), /correct-horse-battery|AKIAQ3EGRIY7XTJ5VWMZ/);
});

test("log messages are bounded in number and size, and calls go on", async (t) => {
  const { got, call } = await session(await open(t));

  assert.equal(jsonOf(await call("say", { level: "error", text: "x", times: 5000 })), "said");
  assert.equal(jsonOf(await call("say", { level: "error", text: "y".repeat(100_000) })), "said");

  assert.ok(got.length >= 100 && got.length < 1000, `${got.length} messages`);
  assert.ok(JSON.stringify(got.at(-1)).length < 20_000);
});

test("log messages of the tools that a script calls go to the client that runs the script", async (t) => {
  const served = await open(t);
  const official = await served.client("/mcp/code");
  const got: Logged[] = [];
  official.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void got.push(params));
  const code = `call_tool("up", "say", { level: "error", text: "from a script" }).ok`;

  const result = await official.callTool({ name: "code_execution", arguments: { code } });

  assert.equal(jsonOf(result).value, true);
  assert.deepEqual(got, [{ level: "error", logger: "up:tool", data: "from a script" }]);
});
