import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { sandbox } from "#lib/modules/code/state.ts";
import { jsonOf, program, type Served, serve } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const NAME = "code_execution";

/** Stored scripts of every kind that can be refused, and a good one. */
function scripts(dir: string): string {
  const path = join(dir, "scripts");
  mkdirSync(path);
  for (const file of ["both.js", "both.ts", "good.js"]) writeFileSync(join(path, file), "1 + 1");
  writeFileSync(join(path, "empty.js"), "");
  writeFileSync(join(path, "big.js"), Buffer.alloc(262_145, 0x20));
  writeFileSync(join(path, "bytes.js"), Buffer.from([0xff, 0xfe]));
  mkdirSync(join(path, "folder.js"));
  return path;
}

verifies(
  ["mcp.code.tool", "code.answer.ok", "code.request.code", "code.request.script", "code.request.input"],
  "code and stored scripts answer the envelope as one text, in both modes that offer the tool",
  async (t) => {
    const { app, client } = await serve(t);
    scripts(app.dir);

    for (const path of ["/mcp/code", "/mcp/call"]) {
      const mcp = await client(path);
      const run = (args: Record<string, unknown>) => mcp.callTool({ name: NAME, arguments: args });
      const inline = await run({ code: "input.a * 2", input: { a: 21 } });

      assert.deepEqual(inline.content, [{ type: "text", text: '{"ok":true,"value":42}' }]);
      assert.equal(inline.isError, undefined);
      assert.deepEqual(jsonOf(await run({ script: "good" })), { ok: true, value: 2 });
      const typed = await run({ code: "const a: number = 1; a", language: "typescript" });
      assert.deepEqual(jsonOf(typed), { ok: true, value: 1 });
      assert.deepEqual(jsonOf(await run({ code: "input" })), { ok: true, value: {} });
    }
  },
);

verifies(
  "code.answer.failed",
  "an execution that failed is an error result with code, message and stack",
  async (t) => {
    const mcp = await (await serve(t)).client("/mcp/code");

    const thrown = await mcp.callTool({ name: NAME, arguments: { code: "\nnull.x" } });
    const unread = await mcp.callTool({ name: NAME, arguments: { code: "let x = ;" } });
    const late = await mcp.callTool({ name: NAME, arguments: { code: "for (;;) ;", options: { timeout_ms: 30 } } });

    const { ok, error } = jsonOf(thrown);
    assert.deepEqual([thrown.isError, ok, error.code], [true, false, "RUNTIME_ERROR"]);
    assert.match(error.stack, /script\.js:2:/);
    assert.deepEqual([unread.isError, jsonOf(unread).error.code], [true, "SYNTAX_ERROR"]);
    assert.deepEqual([late.isError, jsonOf(late).error.code], [true, "TIMEOUT"]);
  },
);

verifies(
  "code.refusal.exactly-one",
  "both or neither of code and script is refused, asking for exactly one",
  async (t) => {
    const mcp = await (await serve(t)).client("/mcp/code");

    for (const args of [{}, { code: "1", script: "good" }]) {
      const refused = await mcp.callTool({ name: NAME, arguments: args });
      const { error } = jsonOf(refused);
      assert.deepEqual([refused.isError, error.code], [true, "INVALID_REQUEST"]);
      assert.match(error.message, /exactly one of "code" and "script"/);
    }
  },
);

/** A refused script, and what the administrator, a client that showed nothing, and an agent token are told. */
type Row = [args: { script: string; language?: string }, code: string, admin: RegExp, nobody: RegExp, agent: RegExp];
const rows = (dir: string): Row[] => {
  const at = (file: string) => join(dir, file).replaceAll(/[.\\]/g, "\\$&");
  const unusable = (name: string, reason: string): Row => [
    { script: name },
    "SCRIPT_UNUSABLE",
    new RegExp(`${reason} \\(${at(`${name}\\.js`.replace("\\.", "."))}\\)$`),
    new RegExp(`${reason} \\(${name}\\.js\\)$`),
    new RegExp(`${reason}$`),
  ];
  return [
    [
      { script: "nope" },
      "SCRIPT_NOT_FOUND",
      /2 stored script\(s\): bytes, good$/,
      /2 stored script\(s\): bytes, good$/,
      /^script "nope" not found$/,
    ],
    [{ script: "a/b" }, "INVALID_SCRIPT_NAME", /contains "\/"/, /contains "\/"/, /contains "\/"/],
    [
      { script: "both" },
      "SCRIPT_UNUSABLE",
      new RegExp(`both ${at("both.js")} and ${at("both.ts")} exist`),
      /both both\.js and both\.ts exist/,
      /^script "both" is ambiguous$/,
    ],
    unusable("empty", "it is empty"),
    unusable("big", "it is larger than 262144 bytes"),
    unusable("bytes", "it cannot be read"),
    unusable("folder", "it is not a regular file"),
    [
      { script: "good", language: "typescript" },
      "INVALID_LANGUAGE",
      /is javascript by its extension/,
      /is javascript by its extension/,
      /is javascript by its extension/,
    ],
  ];
};

verifies(
  [
    "code.refusal.unknown",
    "code.refusal.name",
    "code.refusal.ambiguous",
    "code.refusal.unusable",
    "code.refusal.language",
    "code.agent.no-paths",
  ],
  "a refused script is an error result that tells each caller as much as it may know",
  async (t) => {
    const { app, client, key } = await serve(t);
    const dir = scripts(app.dir);
    const admin = await client("/mcp/code", shows(key));
    const nobody = await client("/mcp/code");
    const agent = await client("/mcp/code", shows(await issue(app)));

    for (const [args, code, toAdmin, toNobody, toAgent] of rows(dir)) {
      for (const [mcp, message] of [
        [admin, toAdmin],
        [nobody, toNobody],
        [agent, toAgent],
      ] as const) {
        const refused = await mcp.callTool({ name: NAME, arguments: args });
        const { ok, error } = jsonOf(refused);
        assert.deepEqual([refused.isError, ok, error.code], [true, false, code]);
        assert.match(error.message, message);
        assert.ok(mcp === admin || !error.message.includes(app.dir));
      }
    }
  },
);

verifies("code.agent.unknown", "an agent learns nothing from an unknown name, whatever the folder holds", async (t) => {
  const { app, client } = await serve(t);
  const agent = await client("/mcp/code", shows(await issue(app)));
  const told = async () => jsonOf(await agent.callTool({ name: NAME, arguments: { script: "nope" } })).error.message;

  const empty = await told();
  scripts(app.dir);

  assert.deepEqual([empty, await told()], ['script "nope" not found', 'script "nope" not found']);
});

test("a client that asks for progress is told of every call as it goes out, the count always rising", async (t) => {
  const { client } = await serve(t, { servers: [program("up")], connect: true });
  const mcp = await client("/mcp/code");
  const heard: Progress[] = [];
  const code = `
    call_tool("up", "echo", {});
    call_tools([{ server: "up", tool: "echo" }, { server: "nowhere", tool: "x" }, { server: "up", tool: "slow", args: { ms: 1 } }]);
    "done"`;

  const answer = await mcp.callTool({ name: NAME, arguments: { code } }, undefined, {
    onprogress: (progress) => void heard.push(progress),
  });

  assert.deepEqual(jsonOf(answer), { ok: true, value: "done" });
  assert.deepEqual(heard, [
    { progress: 1, message: "calling up:echo" },
    { progress: 2, message: "calling up:echo" },
    { progress: 3, message: "calling nowhere:x" },
    { progress: 4, message: "calling up:slow" },
  ]);
});

test("progress is heard while the script still runs", async (t) => {
  const { client } = await serve(t, { servers: [program("up")], connect: true });
  const mcp = await client("/mcp/code");
  const stop = new AbortController();
  let heard = "";

  const answer = mcp.callTool(
    { name: NAME, arguments: { code: 'call_tool("up", "slow", { ms: 60000 })' } },
    undefined,
    {
      onprogress: ({ message }) => {
        heard = message ?? "";
        stop.abort();
      },
      signal: stop.signal,
    },
  );

  await assert.rejects(answer, /abort/i);
  assert.equal(heard, "calling up:slow");
});

/** What the upstream itself counted. */
async function stats({ app }: Served): Promise<{ calls: number; cancelled: number }> {
  const asked = { timeoutMs: 60_000 };
  const { raw } = await app.upstreams.get("up")!.request("tools/call", { name: "stats", arguments: {} }, asked);
  return JSON.parse(JSON.parse(raw).content[0].text);
}

const ENDINGS: [title: string, end: (stop: AbortController, close: () => Promise<void>) => unknown][] = [
  ["cancels", (stop) => stop.abort()],
  ["goes away", (_, close) => close()],
];
for (const [title, end] of ENDINGS)
  test(`a client that ${title} stops the script and the call it was in`, async (t) => {
    const served = await serve(t, { servers: [program("up")], connect: true });
    const { app } = served;
    const mcp = await served.client("/mcp/code");
    const stop = new AbortController();
    const code = 'for (;;) call_tool("up", "slow", { ms: 60000 })';
    const answer = mcp.callTool({ name: NAME, arguments: { code } }, undefined, { signal: stop.signal });
    const ended = assert.rejects(answer);
    let asked = 0;
    await until("the call is with the upstream", async () => (await stats(served)).calls > ++asked);

    await end(stop, () => mcp.close());
    await ended;

    await until("the script is over", () => app.part(sandbox).facts().running === 0);
    await until("the upstream was told", async () => (await stats(served)).cancelled === 1);
    await until("it is written down", async () =>
      (await app.store.activity.select({ type: ["code_execution"] }, { limit: 10 })).records.some(({ error_message }) =>
        error_message?.startsWith("CANCELLED"),
      ),
    );
  });

verifies(
  ["code.options.timeout", "code.options.max-tool-calls", "code.options.allowed-servers", "code.request.language"],
  "what cannot be meant is refused in the envelope, by the name of its field",
  async (t) => {
    const mcp = await (await serve(t)).client("/mcp/code");
    const code = "1";
    const wrong: [args: Record<string, unknown>, code: string, message: RegExp][] = [
      [{ code: 1 }, "INVALID_REQUEST", /^code must be a string$/],
      [{ script: ["good"] }, "INVALID_REQUEST", /^script must be a string$/],
      [{ code, language: "ruby" }, "INVALID_LANGUAGE", /^language must be "javascript" or "typescript", not "ruby"$/],
      [{ code, input: [] }, "INVALID_REQUEST", /^input must be an object$/],
      [{ code, input: "{}" }, "INVALID_REQUEST", /^input must be an object$/],
      [{ code, options: [] }, "INVALID_OPTIONS", /^options must be an object$/],
      ...[0, -1, 1.5, 600_001, "5", null].map((timeout_ms): [Record<string, unknown>, string, RegExp] => [
        { code, options: { timeout_ms } },
        "INVALID_OPTIONS",
        /^timeout_ms must be a whole number from 1 to 600000$/,
      ]),
      ...[-1, 0.5, "1"].map((max_tool_calls): [Record<string, unknown>, string, RegExp] => [
        { code, options: { max_tool_calls } },
        "INVALID_OPTIONS",
        /^max_tool_calls must be a whole number of at least 0/,
      ]),
      [
        { code, options: { allowed_servers: "git" } },
        "INVALID_OPTIONS",
        /^allowed_servers must be an array of strings$/,
      ],
      [{ code, options: { allowed_servers: [1] } }, "INVALID_OPTIONS", /^allowed_servers must be an array of strings$/],
    ];

    for (const [args, refusal, message] of wrong) {
      const refused = await mcp.callTool({ name: NAME, arguments: args });
      const { ok, error } = jsonOf(refused);
      assert.deepEqual([refused.isError, ok, error.code], [true, false, refusal], JSON.stringify(args));
      assert.match(error.message, message);
    }
    for (const timeout_ms of [1000, 600_000])
      assert.equal(jsonOf(await mcp.callTool({ name: NAME, arguments: { code, options: { timeout_ms } } })).value, 1);
  },
);
