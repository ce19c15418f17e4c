import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Actor, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { exec as run } from "#lib/modules/code/exec.ts";
import { sandbox } from "#lib/modules/code/state.ts";
import { TEST_KEY, type TestApp, testApp, withApp } from "#test/kit/app.ts";
import { type Answer, ask } from "#test/kit/http.ts";
import { program } from "#test/kit/mcp.ts";
import { replacePart } from "#test/kit/parts.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

let app: TestApp;
before(async () => {
  app = await testApp({
    servers: [
      { ...program("one"), trust_mode: "auto" },
      { ...program("two"), trust_mode: "auto", max_concurrent_requests: 1, queue_size: 0 },
      { ...program("held"), quarantined: true },
    ],
  });
  for (const name of ["one", "two", "held"]) await until(`tools of ${name}`, () => app.catalog.of(name).length > 0);
  mkdirSync(join(app.dir, "scripts"));
  writeFileSync(join(app.dir, "scripts", "double.ts"), "const n: number = input.n;\nreturn n * 2;");
  writeFileSync(join(app.dir, "scripts", "empty.js"), "");
});
after(() => app.close());

const exec = (body: unknown): Promise<Answer> => ask(app, "POST /api/v1/code/exec", { body });
const value = async (code: string, more: object = {}) => {
  const { status, body } = await exec({ code, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.ok, true, JSON.stringify(body));
  return body.value;
};

verifies(["code.rest.exec", "code.answer.ok"], "success is { ok, value }, bare", async () => {
  const { status, body } = await exec({ code: "({ sum: input.a + 1 })", input: { a: 1 } });
  assert.deepEqual([status, body], [200, { ok: true, value: { sum: 2 } }]);
});

/** Each would lead out of a sandbox, if there were none. */
const WAYS_OUT = [
  "typeof process",
  "typeof require",
  "typeof fetch",
  "typeof WebAssembly",
  "typeof setTimeout",
  "typeof Deno",
  'typeof (0, eval)("this").process',
  'typeof Function("return this")().process',
  'typeof call_tool.constructor("return this")().process',
  'typeof console.log.constructor("return this")().require',
];

verifies(
  "mcp.what.sandbox",
  "JavaScript and TypeScript run apart from this program, and reach the tools that their caller may call and nothing else",
  async () => {
    const text = `call_tool("one", "echo", { message: "from inside" })`;
    for (const [language, code] of [
      ["javascript", `const { ok, result } = ${text};\nreturn ok && result.content[0].text;`],
      [
        "typescript",
        `const { ok, result }: { ok: boolean; result: any } = ${text};\nreturn ok && result.content[0].text;`,
      ],
    ])
      assert.equal(await value(code!, { language }), '{"message":"from inside"}', language);
    const held = await value('call_tool("held", "echo", {})');
    assert.equal(held.ok, false);

    for (const way of WAYS_OUT) {
      const { body } = await exec({ code: `try { return ${way} } catch (error) { return "undefined" }` });
      assert.equal(body.value, "undefined", `${way}: ${JSON.stringify(body)}`);
    }
    for (const code of ['import("node:fs")', 'import fs from "node:fs"'])
      assert.notEqual((await exec({ code })).body.ok, true);
    Object.assign(globalThis, { planted: 1 });
    assert.equal(await value("globalThis.planted = 2; typeof planted"), "number");
    assert.equal(Reflect.get(globalThis, "planted"), 1);
    assert.equal(await value("typeof planted"), "undefined");
    Reflect.deleteProperty(globalThis, "planted");
  },
);

verifies(
  ["code.rest.throws", "code.error.runtime", "code.answer.failed"],
  "a script that throws is 200 with RUNTIME_ERROR and a stack",
  async () => {
    const { status, body } = await exec({ code: "\nnull.x" });
    assert.equal(status, 200);
    assert.equal(body.error.code, "RUNTIME_ERROR");
    assert.match(body.error.stack, /script\.js:2:/);
  },
);

verifies(
  [
    "code.rest.refusal",
    "code.rest.invalid-request",
    "code.rest.not-found",
    "code.rest.bad-name",
    "code.rest.unusable",
    "code.rest.language",
    "code.request.exactly-one",
  ],
  "refusals have their status and code, and carry the request id",
  async () => {
    const rows: [object, number, string][] = [
      [{}, 400, "INVALID_REQUEST"],
      [{ code: "1", script: "double" }, 400, "INVALID_REQUEST"],
      [{ script: "nope" }, 404, "SCRIPT_NOT_FOUND"],
      [{ script: "../double" }, 400, "INVALID_SCRIPT_NAME"],
      [{ script: "empty" }, 400, "SCRIPT_UNUSABLE"],
      [{ script: "double", language: "javascript" }, 400, "INVALID_LANGUAGE"],
      [{ code: "1", language: "ruby" }, 400, "INVALID_LANGUAGE"],
      [{ code: "1", options: { timeout_ms: 0 } }, 400, "INVALID_OPTIONS"],
    ];
    for (const [body, status, code] of rows) {
      const answer = await exec(body);
      assert.deepEqual(
        [answer.status, answer.body.ok, answer.body.error.code],
        [status, false, code],
        JSON.stringify(body),
      );
      assert.equal(answer.body.request_id, answer.headers.get("x-request-id"));
    }
  },
);

verifies(
  ["code.script.language", "code.script.folder"],
  "a stored script runs in the language of its extension",
  async () => {
    assert.deepEqual((await exec({ script: "double", input: { n: 21 } })).body, { ok: true, value: 42 });
  },
);

verifies("code.call-tool.envelope", "call_tool answers the upstream's result, not unwrapped", async () => {
  assert.deepEqual(
    await value("call_tool('one', 'echo', { message: 'hi' }).result.content[0].text"),
    '{"message":"hi"}',
  );
});

test("an upstream's bytes survive: big numbers arrive as JavaScript reads them", async () => {
  const result = await value(
    "call_tool('one', 'raw', { json: '{\"content\":[],\"structuredContent\":{\"n\":1.50}}' }).result.structuredContent",
  );
  assert.deepEqual(result, { n: 1.5 });
});

test("the script's calls meet the same policy as any other (spec 001 §2.4)", async () => {
  const errors = await value(
    "[call_tool('held','echo',{}), call_tool('none','echo',{}), call_tool('one','nope',{})].map((r) => [r.ok, r.error.code])",
  );
  assert.deepEqual(errors, [
    [false, "TOOL_BLOCKED"],
    [false, "TOOL_NOT_FOUND"],
    [false, "TOOL_NOT_FOUND"],
  ]);
});

verifies(
  ["code.call-tools.slots", "code.error.slots"],
  "call_tools keeps input order and isolates failures",
  async () => {
    const slots = await value(
      `call_tools([{server:'one',tool:'slow',args:{ms:80}},{server:'none',tool:'x'},{server:'one',tool:'echo',args:{a:2}}])
       .map((r) => r.ok ? r.result.content[0].text.slice(0, 7) : r.error.code)`,
    );
    assert.equal(slots.length, 3);
    assert.equal(slots[1], "TOOL_NOT_FOUND");
    assert.equal(slots[2], '{"a":2}');
  },
);

verifies("limit.batch-empty", "an empty batch is an empty array and costs nothing", async () => {
  assert.deepEqual(await value("[call_tools([]), call_tool('one','echo',{}).ok]", { options: { max_tool_calls: 1 } }), [
    [],
    true,
  ]);
});

verifies(
  ["code.error.invalid-args", "code.error.invalid-index", "code.call-tools.requests", "limit.batch"],
  "a batch that cannot be read names the first bad element, sends nothing and costs nothing",
  async () => {
    const rows: [string, RegExp][] = [
      ["call_tools({})", /array/],
      ["call_tools([{server:'one',tool:'echo'},{server:''}])", /element 1/],
      ["call_tools([1])", /element 0/],
      ["call_tools([{server:'one',tool:'echo',args:[]}])", /element 0/],
      ["call_tools([{server:'one',tool:'echo'},,{}])", /element 1/],
      ["call_tools([], 5)", /options/],
      ["call_tools([], {max_parallel:0})", /max_parallel/],
      ["call_tools([], {max_parallel:33})", /max_parallel/],
      ["call_tools([], {max_parallel:1.5})", /max_parallel/],
      ["call_tools(Array.from({length:101},()=>({server:'one',tool:'echo'})))", /100/],
    ];
    for (const [code, message] of rows) {
      const [answer, next] = await value(`[${code}, call_tool('one','echo',{}).ok]`, {
        options: { max_tool_calls: 1 },
      });
      assert.equal(answer.error.code, "INVALID_ARGS", code);
      assert.match(answer.error.message, message);
      assert.equal(next, true, `${code} cost something`);
    }
    assert.equal(await value("call_tools([], {unknown: 1}).length"), 0);
  },
);

verifies(
  ["limit.batch-budget", "code.error.max-calls"],
  "the budget is spent in input order before anything is sent",
  async () => {
    const codes = await value(
      "call_tools([1,2,3,4].map((n)=>({server:'one',tool:'echo',args:{n}}))).map((r)=>r.ok?'ok':r.error.code).concat(call_tool('one','echo',{}).error.message)",
      { options: { max_tool_calls: 2 } },
    );
    assert.deepEqual(codes.slice(0, 4), ["ok", "ok", "MAX_TOOL_CALLS_EXCEEDED", "MAX_TOOL_CALLS_EXCEEDED"]);
    assert.match(codes[4], /maximum of 2/);
  },
);

verifies(
  ["code.error.not-allowed", "code.options.allowed-servers"],
  "a server outside allowed_servers is refused by slot",
  async () => {
    const codes = await value(
      "[call_tool('two','echo',{}).error.code].concat(call_tools([{server:'two',tool:'echo'},{server:'one',tool:'echo'}]).map((r)=>r.ok?'ok':r.error.code))",
      { options: { allowed_servers: ["one"] } },
    );
    assert.deepEqual(codes, ["SERVER_NOT_ALLOWED", "SERVER_NOT_ALLOWED", "ok"]);
  },
);

verifies(
  ["limit.batch-budget"],
  "each call costs one unit of the budget, also one to a server outside allowed_servers; invalid arguments cost none",
  async () => {
    const batch = "['two','one','one'].map((server) => ({server,tool:'echo'}))";
    const codes = await value(
      `[call_tool('one'), ...[call_tools([1])].flat(), ...call_tools(${batch})].map((r)=>r.ok?'ok':r.error.code)`,
      { options: { allowed_servers: ["one"], max_tool_calls: 2 } },
    );
    assert.deepEqual(codes, ["INVALID_ARGS", "INVALID_ARGS", "SERVER_NOT_ALLOWED", "ok", "MAX_TOOL_CALLS_EXCEEDED"]);
  },
);

verifies(
  ["limit.queue-full", "limit.concurrency"],
  "a server's own limits shed a batch by slot with queue_full",
  async () => {
    const codes: string[] = await value(
      "call_tools(Array.from({length:6},()=>({server:'two',tool:'slow',args:{ms:60}})),{max_parallel:6}).map((r)=>r.ok?'ok':r.error.code)",
    );
    assert.equal(codes.filter((c) => c === "ok").length, 1, codes.join());
    assert.equal(codes.filter((c) => c === "queue_full").length, 5, codes.join());
  },
);

verifies(
  ["code.call-tools.max-parallel", "code.options.no-max-parallel", "config.batch-precedence"],
  "how wide a batch goes is for the batch and the configuration to say, not for the request",
  async () => {
    const batch = (options: string) =>
      `call_tools([1, 2].map(() => ({ server: "two", tool: "slow", args: { ms: 40 } })), ${options}).map((r) => r.ok)`;

    assert.deepEqual(await value(batch("{ max_parallel: 1, unknown: true }")), [true, true]);
    assert.deepEqual((await value(batch("{}"))).sort(), [false, true]);
    await assert.rejects(value(batch("{}"), { options: { max_parallel: 1 } }), /options\.max_parallel: unknown field/);
  },
);

test("a body that cannot be read is refused in the envelope of an execution", async () => {
  const rows: [body: string, type: string, status: number, text: RegExp][] = [
    ["{broken", "application/json", 400, /cannot be read as JSON/],
    ["[]", "application/json", 400, /must be a JSON object/],
    ['{"code":"1","code":"2"}', "application/json", 400, /already occurs/],
    ['{"cod":"1"}', "application/json", 400, /cod: unknown field; .*did you mean code/],
    ['{"code":"1"}', "text/plain", 415, /text\/plain/],
    [`{"code":"${"x".repeat(2 << 20)}"}`, "application/json", 413, /larger/],
  ];
  for (const [body, type, wanted, text] of rows) {
    const as = { "x-api-key": TEST_KEY, "content-type": type };
    const { status, body: answer, headers } = await ask(app, "POST /api/v1/code/exec", { body, as });

    assert.equal(status, wanted, body.slice(0, 50));
    assert.deepEqual(Object.keys(answer), ["ok", "error", "request_id"]);
    assert.deepEqual([answer.ok, answer.error.code], [false, "INVALID_REQUEST"]);
    assert.match(answer.error.message, text);
    assert.equal(answer.request_id, headers.get("x-request-id"));
  }
});

verifies("code.rest.failed", "a sandbox that cannot be started is 500 EXECUTION_FAILED, and written down", () =>
  withApp({}, async (app) => {
    const failed = { ok: false as const, code: "EXECUTION_FAILED" as const, message: "no thread could be made" };
    const broken = replacePart(app, sandbox, { ...app.part(sandbox), run: async () => failed });

    const { status, body, headers } = await ask(broken, "POST /api/v1/code/exec", { body: { code: "1" } });

    const error = { code: "EXECUTION_FAILED", message: "the code could not be executed: no thread could be made" };
    assert.deepEqual([status, body], [500, { ok: false, error, request_id: headers.get("x-request-id") }]);
    const [kept] = (await app.store.activity.select({ type: ["code_execution"] }, { limit: 1 })).records;
    assert.equal(kept?.status, "error");
  }),
);

verifies("code.script.same", "a stored script meets the same limits and the same policy as inline code", async () => {
  const source = "['one','one','two','held'].map((s) => call_tool(s,'echo',{})).map((r) => r.ok ? 'ok' : r.error.code)";
  writeFileSync(join(app.dir, "scripts", "same.js"), source);
  const rows: [options: object, codes: string[]][] = [
    [{}, ["ok", "ok", "ok", "TOOL_BLOCKED"]],
    [{ max_tool_calls: 1 }, ["ok", ...Array(3).fill("MAX_TOOL_CALLS_EXCEEDED")]],
    [{ allowed_servers: ["one"] }, ["ok", "ok", "SERVER_NOT_ALLOWED", "SERVER_NOT_ALLOWED"]],
  ];
  for (const [options, codes] of rows)
    for (const what of [{ script: "same" }, { code: source }])
      assert.deepEqual((await exec({ ...what, options })).body.value, codes);
  writeFileSync(join(app.dir, "scripts", "spin.js"), "for (;;) ;");
  assert.equal((await exec({ script: "spin", options: { timeout_ms: 30 } })).body.error.code, "TIMEOUT");
});

verifies("code.scripts.advisory", "a script that was listed as ok is looked at again when it is called", async () => {
  const path = join(app.dir, "scripts", "fickle.js");
  writeFileSync(path, "1");
  const { body } = await ask(app, "GET /api/v1/code/scripts", {});
  writeFileSync(path, "");

  assert.equal(body.data.scripts.find((s: { name: string }) => s.name === "fickle").status, "ok");
  assert.equal((await exec({ script: "fickle" })).body.error.code, "SCRIPT_UNUSABLE");
});

verifies(
  ["code.global.library", "code.global.absent", "code.request.code"],
  "scripts have the standard library of ES2020, and nothing that reaches out",
  async () => {
    const there =
      "[BigInt(2)**64n+'', [1,[2]].flat(), Object.fromEntries([['a',1]]), null ?? 1, ({})?.a?.b === undefined]";
    assert.deepEqual(await value(there), ["18446744073709551616", [1, 2], { a: 1 }, 1, true]);
    const names = "Map Set Promise Symbol Proxy Reflect Math Date JSON RegExp globalThis call_tool call_tools console";
    for (const name of names.split(" ")) assert.notEqual(await value(`typeof ${name}`), "undefined", name);
    const absent =
      "require module exports process Buffer fetch XMLHttpRequest WebSocket setTimeout setInterval setImmediate queueMicrotask Deno Bun std os scriptArgs Worker";
    for (const name of absent.split(" ")) assert.equal(await value(`typeof ${name}`), "undefined", name);
    for (const code of ["import fs from 'fs'", "export const a = 1"])
      assert.equal((await exec({ code })).body.error.code, "SYNTAX_ERROR", code);
  },
);

verifies(
  ["code.error.timeout", "limit.batch-timeout"],
  "a timeout ends the execution and cancels what is in flight",
  async () => {
    const before = JSON.parse(await value("call_tool('one','stats',{}).result.content[0].text")).cancelled;
    const { body } = await exec({
      code: "call_tools([{server:'one',tool:'slow',args:{ms:20000}},{server:'one',tool:'slow',args:{ms:20000}}])",
      // Both calls are to be under way by then, on a busy machine too.
      options: { timeout_ms: 1500 },
    });
    assert.equal(body.error.code, "TIMEOUT");
    await until("both calls to be cancelled", async () => {
      const now = JSON.parse(await value("call_tool('one','stats',{}).result.content[0].text")).cancelled;
      return now >= before + 2;
    });
  },
);

verifies(
  "code.script.record",
  "each call of a script is a record of its own that names the execution; that one keeps the code",
  async () => {
    const { headers } = await ask(app, "POST /api/v1/code/exec", {
      body: { script: "double", input: { n: 1 } },
      as: { "x-api-key": "test-key-0123456789abcdef", "x-request-id": "parent-1" },
    });
    assert.equal(headers.get("x-request-id"), "parent-1");
    await ask(app, "POST /api/v1/code/exec", {
      body: { code: "call_tool('one','echo',{a:1}); 1" },
      as: { "x-api-key": "test-key-0123456789abcdef", "x-request-id": "parent-2" },
    });
    await until(
      "the record",
      async () => (await app.store.activity.select({ parent_id: "parent-2" }, { limit: 10 })).total === 1,
    );
    const [child] = (await app.store.activity.select({ parent_id: "parent-2" }, { limit: 10 })).records;
    assert.deepEqual([child?.type, child?.server_name, child?.tool_name], ["tool_call", "one", "echo"]);
    const [own] = (await app.store.activity.select({ request_id: "parent-1", type: ["code_execution"] }, { limit: 10 }))
      .records;
    assert.deepEqual(own?.arguments, {
      code: "const n: number = input.n;\nreturn n * 2;",
      script: "double",
      input: { n: 1 },
    });
  },
);

test("what a script says on its console stands in its record, bounded and with secrets masked", async () => {
  const said = async (code: string) => {
    await exec({ code });
    const [own] = (await app.store.activity.select({ type: ["code_execution"] }, { limit: 1 })).records;
    return own?.metadata?.console as string[] | undefined;
  };
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const lines = await said(`console.log("token", "${secret}"); console.warn({ a: 1 }); 1`);
  assert.equal(lines?.[1], '{"a":1}');
  assert.ok(lines?.[0]?.startsWith("token ") && !lines[0].includes(secret), lines?.[0]);
  const many = (await said("for (let i = 0; i < 400; i++) console.log('x'.repeat(100)); 1")) ?? [];
  assert.ok(many.join("").length <= 16_384 && many.length > 100);
  assert.equal(await said("1"), undefined);
});

verifies(
  ["code.rest.disabled", "config.enable-code-execution"],
  "enable_code_execution false refuses every execution",
  async () => {
    await app.config.update((draft) => {
      draft.enable_code_execution = false;
    }, "test");
    const { status, body } = await exec({ script: "double" });
    assert.deepEqual([status, body.error.code], [403, "FEATURE_DISABLED"]);
    await app.config.update((draft) => {
      draft.enable_code_execution = true;
    }, "test");
  },
);

verifies(
  "config.code-parallel",
  "code_execution_max_parallel is the default width of executions started after its change",
  async () => {
    const widest = async () =>
      value(
        `const t = Date.now(); call_tools(Array.from({length:4},()=>({server:'one',tool:'slow',args:{ms:100}}))); Date.now() - t`,
      );
    await app.config.update((draft) => {
      draft.code_execution_max_parallel = 1;
    }, "test");
    assert.ok((await widest()) >= 380);
  },
);

test("ten endless scripts of one token leave sandboxes free: an administrator's script starts at once", () =>
  withApp({ connect: false }, async (app) => {
    const token = await issue(app, { name: "greedy" });
    const gone = new AbortController();
    const caller = verifyToken(app, token);
    assert.ok(typeof caller !== "string");
    const by: Actor = { caller, origin: { source: "api", requestId: "r-1" } };
    const endless = { code: "while (true) {}", input: {}, allowedServers: [], timeoutMs: 60_000 };
    const running = Array.from({ length: 10 }, () => run(app, by, endless, { signal: gone.signal }).catch(String));
    try {
      await until("the scripts run and wait", () => app.part(sandbox).facts().waiting === 5);
      assert.equal(app.part(sandbox).facts().running, 5);

      const { body } = await ask(app, "POST /api/v1/code/exec", { body: { code: "1 + 1" } });

      assert.deepEqual(body, { ok: true, value: 2 });
      assert.deepEqual(
        [app.part(sandbox).facts().running, app.part(sandbox).facts().waiting],
        [5, 5],
        "nothing had to end for it",
      );
    } finally {
      gone.abort();
      await Promise.all(running);
    }
  }));

verifies(
  "code.rest.failed",
  "a script for which no sandbox becomes free in time is told so, with what an administrator can raise",
  () =>
    withApp(
      { connect: false, config: { code_execution_pool_size: 1, code_execution_queue_timeout_ms: 50 } },
      async (app) => {
        const gone = new AbortController();
        const by: Actor = { caller: INTERNAL_CALLER, origin: { source: "api", requestId: "r-1" } };
        const endless = { code: "while (true) {}", input: {}, allowedServers: [], timeoutMs: 60_000 };
        const running = run(app, by, endless, { signal: gone.signal }).catch(String);
        try {
          await until("the script runs", () => app.part(sandbox).facts().running === 1);

          const { status, body } = await ask(app, "POST /api/v1/code/exec", { body: { code: "1" } });

          assert.deepEqual([status, body.error.code], [500, "EXECUTION_FAILED"]);
          assert.match(
            body.error.message,
            /no sandbox became free for this caller within \d+ ms, so the script was not started.*code_execution_pool_size \(1\)/,
          );
        } finally {
          gone.abort();
          await running;
        }
      },
    ),
);

test("a script that waits for a sandbox keeps its whole time", () =>
  withApp({ connect: false, config: { code_execution_pool_size: 1 } }, async (app) => {
    const busyFor = (ms: number) => ({
      code: `const end = Date.now() + ${ms}; while (Date.now() < end); "done"`,
      options: { timeout_ms: 5000 },
    });
    const ask400 = (body: object) => ask(app, "POST /api/v1/code/exec", { body });

    const answers = await Promise.all([
      ask400(busyFor(400)),
      ask400(busyFor(400)),
      ask400({ code: "1", options: { timeout_ms: 300 } }),
    ]);

    assert.deepEqual(
      answers.map(({ body }) => body.value),
      ["done", "done", 1],
    );
  }));

test("what an operator allows at most holds for every request, and says so", () =>
  withApp(
    { connect: false, config: { code_execution_ceilings: { timeout_ms: 1000, max_tool_calls: 2 } } },
    async (app) => {
      const refusals: [options: object, message: RegExp][] = [
        [
          { timeout_ms: 1001 },
          /timeout_ms: 1001 is more than the maximum of 1000 \(code_execution_ceilings\.timeout_ms\)/,
        ],
        [
          { max_tool_calls: 3 },
          /max_tool_calls: 3 is more than the maximum of 2 \(code_execution_ceilings\.max_tool_calls\)/,
        ],
        [{ max_tool_calls: 0 }, /max_tool_calls: 0 \(no limit\) is more/],
      ];
      for (const [options, message] of refusals) {
        const { status, body } = await ask(app, "POST /api/v1/code/exec", { body: { code: "1", options } });
        assert.deepEqual([status, body.error.code], [400, "INVALID_OPTIONS"], JSON.stringify(options));
        assert.match(body.error.message, message);
      }
      const allowed = { code: "1", options: { timeout_ms: 1000, max_tool_calls: 2 } };
      assert.equal((await ask(app, "POST /api/v1/code/exec", { body: allowed })).status, 200);

      // Defaults above a ceiling are brought down to it.
      const calls = "[1, 2, 3].map(() => call_tool('no', 'tool', {}).error.code)";
      const spent = await ask(app, "POST /api/v1/code/exec", { body: { code: calls } });
      assert.deepEqual(spent.body.value, ["TOOL_NOT_FOUND", "TOOL_NOT_FOUND", "MAX_TOOL_CALLS_EXCEEDED"]);
      const endless = await ask(app, "POST /api/v1/code/exec", { body: { code: "for (;;);" } });
      assert.match(endless.body.error.message, /limit of 1000 ms/);
    },
  ));

test("an upstream's own error keeps its code and data in a script", async () => {
  assert.deepEqual(await value(`call_tool("one", "rpc_error", { message: "custom", data: { hint: 1 } })`), {
    ok: false,
    error: { code: "UPSTREAM_ERROR", message: "custom", rpc_code: -32099, data: { hint: 1 } },
  });
});

test("results that are too large for a script are failed calls of their own; the others and the script go on", async () => {
  const one = await value(`const { ok, error } = call_tool("one", "big", { kb: 20000 }); ({ ok, error })`);
  assert.deepEqual([one.ok, one.error.code], [false, "RESULT_TOO_LARGE"]);
  assert.match(one.error.message, /the result of one:big has 20\d+ bytes, but the script has memory for 8000000/);

  const slots = await value(
    `call_tools(Array.from({ length: 12 }, () => ({ server: "one", tool: "big", args: { kb: 1000 } }))).map((slot) => slot.ok || slot.error.code)`,
  );
  assert.deepEqual(slots.filter((slot: unknown) => slot === true).length, 7);
  assert.deepEqual([...new Set(slots.filter((slot: unknown) => slot !== true))], ["RESULT_TOO_LARGE"]);
});

test("a script that uses too much memory is told its limit", async () => {
  const { status, body } = await exec({ code: "const a = []; for (;;) a.push({ a: [1, 2, 3] })" });
  assert.deepEqual([status, body.error.code], [200, "MEMORY_LIMIT"]);
  assert.match(body.error.message, /memory limit of 64 MB/);
});
