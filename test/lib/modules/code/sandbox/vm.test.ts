import assert from "node:assert/strict";
import { after, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import { createVmPool, type PoolJob } from "#lib/modules/code/sandbox/pool.ts";
import type { VmOutcome } from "#lib/modules/code/sandbox/vm.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";
import { HOSTILE } from "./hostile.ts";

const pool = createVmPool({ size: () => 4, clock: systemClock });
after(() => pool.close());

const jobOf = (code: string, job: Partial<PoolJob> = {}): PoolJob => ({
  code,
  holder: { key: "me", admin: true },
  filename: "script.js",
  input: "{}",
  timeoutMs: 5000,
  queueTimeoutMs: 5000,
  signal: new AbortController().signal,
  onCall: async () => '{"ok":true,"result":{}}',
  onLog: () => {},
  ...job,
});
const run = (code: string, job: Partial<PoolJob> = {}): Promise<VmOutcome> => pool.run(jobOf(code, job));

verifies("code.value.valid", "the value of the last statement is the result, as JSON text", async () => {
  const rows: [string, string][] = [
    ["1 + 1", "2"],
    ["null", "null"],
    ["'a'", '"a"'],
    ["({a: [1, true, null], b: {c: 'x'}})", '{"a":[1,true,null],"b":{"c":"x"}}'],
    ["if (true) { 'in a block' }", '"in a block"'],
    ["return 7", "7"],
    ["const x = 3;\nif (x > 2) return { x };\nreturn 0", '{"x":3}'],
    ["Promise.resolve(5)", "5"],
    ["(async () => { const a = await 1; return a + 1 })()", "2"],
    ["input.n * 2", "42"],
  ];
  for (const [code, json] of rows)
    assert.deepEqual(await run(code, { input: '{"n":21}' }), { kind: "value", json }, code);
});

verifies(
  ["code.value.invalid", "code.error.serialization"],
  "functions, undefined, cycles and special objects are no results",
  async () => {
    for (const code of [
      "undefined",
      "(()=>1)",
      "new Date()",
      "/a/",
      "const a={};a.a=a;a",
      "Symbol('x')",
      "1n",
      "NaN",
      "new Map()",
      "new Error('x')",
      "({a:undefined})",
      "[()=>1]",
    ]) {
      const outcome = await run(code);
      assert.equal(outcome.kind === "error" && outcome.error.code, "SERIALIZATION_ERROR", code);
    }
  },
);

test("a serialisation error says where in the result the trouble is", async () => {
  const outcome = await run("({a: [1, {b: () => 1}]})");
  assert.match(outcome.kind === "error" ? outcome.error.message : "", /function at \$\.a\[1\]\.b/);
});

test("host calls are synchronous and carry JSON both ways (spec 001 §2.3)", async () => {
  const seen: string[] = [];
  const outcome = await run("const r = call_tool('s', 't', {a: 1}); r.result.echo.a + call_tools([]).length", {
    onCall: async (kind, json) => {
      seen.push(`${kind}${json}`);
      return kind === 0 ? '{"ok":true,"result":{"echo":{"a":41}}}' : "[]";
    },
  });
  assert.deepEqual(outcome, { kind: "value", json: "41" });
  assert.deepEqual(seen, ['0["s","t",{"a":1}]', "1[[],{}]"]);
});

verifies(
  ["code.call-tool.arity", "code.error.invalid-args"],
  "arguments that cannot be read are answered without leaving the sandbox",
  async () => {
    let calls = 0;
    const onCall = async () => {
      calls++;
      return "{}";
    };
    for (const code of [
      "call_tool()",
      "call_tool('s','t')",
      "call_tool(1,'t',{})",
      "call_tool('s','',{})",
      "call_tool('s','t',[])",
      "call_tools()",
      "call_tools({})",
      "call_tools([,1])",
      "call_tools(new Array(101).fill({}))",
    ]) {
      const outcome = await run(`${code}.error.code`, { onCall });
      assert.deepEqual(outcome, { kind: "value", json: '"INVALID_ARGS"' }, code);
    }
    assert.equal(calls, 0);
  },
);

test("console lines leave with the execution they belong to, bounded", async () => {
  const lines: string[] = [];
  await run("console.log('a', {b: 1}, [2], undefined); for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100))", {
    onLog: (line) => void lines.push(line),
  });
  assert.equal(lines[0], 'a {"b":1} [2] undefined');
  assert.ok(lines.length < 700);
  assert.match(lines.at(-1)!, /dropped/);
});

test("a deadline stops a call in flight and aborts it (spec 001 §8)", async () => {
  let aborted = false;
  const outcome = await run("call_tool('s','t',{})", {
    timeoutMs: 50,
    onCall: (_kind, _json, { signal }) =>
      new Promise((_, fail) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          fail(signal.reason);
        });
      }),
  });
  assert.equal(outcome.kind, "timeout");
  assert.ok(aborted);
});

test("a cancelled execution ends at once", async () => {
  const controller = new AbortController();
  const ended = run("for(;;);", { signal: controller.signal });
  controller.abort();
  assert.equal((await ended).kind, "cancelled");
});

test("a program's time counts from its start: neither waiting for a sandbox nor starting one is part of it", async (t) => {
  const clock = handClock();
  const small = createVmPool({ size: () => 1, clock });
  t.after(() => small.close());
  let answer: ((json: string) => void) | undefined;
  const onCall = () => new Promise<string>((done) => (answer = done));

  const running = [
    small.run(jobOf("call_tool('s','t',{}); 1", { timeoutMs: 5000, onCall })),
    small.run(jobOf("2", { timeoutMs: 300, queueTimeoutMs: 60_000 })),
    small.run(jobOf("3", { queueTimeoutMs: 100 })),
  ];
  // The first sandbox starts, and takes longer than any of the programs may.
  clock.jump(20_000);
  await until("the first program runs", () => answer !== undefined);
  await clock.advance(1000);
  answer!('{"ok":true,"result":{}}');

  const [first, second, late] = await Promise.all(running);
  assert.deepEqual([first!.kind, second!.kind, late!.kind], ["value", "value", "busy"]);
  assert.ok(late!.kind === "busy" && late!.waitedMs >= 100);
});

test("a sandbox that does not start in time fails the program, and one whose caller leaves ends it; the next one starts", async (t) => {
  const clock = handClock();
  const small = createVmPool({ size: () => 1, clock });
  t.after(() => small.close());

  let late: VmOutcome | undefined;
  void small.run(jobOf("1")).then((outcome) => {
    late = outcome;
  });
  await until(
    "the start fails",
    () => late !== undefined,
    () => clock.advance(10_000),
  );
  const left = await small.run(jobOf("2", { signal: AbortSignal.abort() }));
  const controller = new AbortController();
  const leaving = small.run(jobOf("3", { signal: controller.signal }));
  controller.abort();

  assert.match(late?.kind === "error" ? late.error.message : "", /did not start within 30 s/);
  assert.deepEqual([left.kind, (await leaving).kind], ["cancelled", "cancelled"]);
  assert.deepEqual(await small.run(jobOf("4")), { kind: "value", json: "4" });
});

test("no wait for a sandbox means none", async (t) => {
  const small = createVmPool({ size: () => 1, clock: systemClock });
  t.after(() => small.close());
  const [first, second] = await Promise.all([
    small.run(jobOf("1", { queueTimeoutMs: 0 })),
    small.run(jobOf("2", { queueTimeoutMs: 0 })),
  ]);
  assert.deepEqual([first.kind, second.kind], ["value", "busy"]);
});

test("what JSON would drop or change among arguments is refused by its path, and nothing is sent", async () => {
  let calls = 0;
  const onCall = async () => {
    calls++;
    return '{"ok":true,"result":{}}';
  };
  const rows: [code: string, message: string][] = [
    ["call_tool('s','t',{a:()=>1})", "call_tool: args.a is a function, which cannot be sent to a tool"],
    ["call_tool('s','t',{a:[{b:undefined}]})", "call_tool: args.a[0].b is undefined; omit it or use null"],
    ["call_tool('s','t',{a:1n})", "call_tool: args.a is a bigint, which cannot be sent to a tool"],
    ["call_tool('s','t',{a:Symbol('x')})", "call_tool: args.a is a symbol, which cannot be sent to a tool"],
    ["call_tool('s','t',{a:NaN})", "call_tool: args.a is NaN, which JSON cannot represent"],
    ["call_tool('s','t',{a:new Map()})", "call_tool: args.a is [object Map], which cannot be sent to a tool"],
    ["const a={};a.a=a;call_tool('s','t',a)", "call_tool: args.a is a circular reference"],
    [
      "call_tools([{server:'s',tool:'t'},{server:'s',tool:'t',args:{f(){}}}])",
      "call_tools: element 1: args.f is a function, which cannot be sent to a tool",
    ],
    ["call_tool('s','t',{},1)", "call_tool requires 3 arguments (serverName, toolName, args), got 4"],
  ];
  for (const [code, message] of rows) {
    const outcome = await run(code, { onCall });
    const expected = { ok: false, error: { code: "INVALID_ARGS", message } };
    assert.deepEqual(outcome.kind === "value" && JSON.parse(outcome.json), expected, code);
  }
  assert.equal(calls, 0);
  const fine = "const a = [1]; call_tool('s','t',{ when: new Date(0), twice: [a, a], none: null }).ok";
  assert.deepEqual(await run(fine, { onCall }), { kind: "value", json: "true" });
});

test("a program that uses up its memory ends with MEMORY_LIMIT, whichever way it does", async () => {
  for (const code of [
    "const a=[];for(;;)a.push({a:1,b:[1,2,3]})",
    "new Uint8Array(100e6)",
    "(function grow(){const a=[];for(;;)a.push([a.length])})()",
    "const m=new Map();for(let i=0;;i++)m.set(i,{})",
  ]) {
    const outcome = await run(code, { timeoutMs: 60_000 });
    assert.equal(outcome.kind === "error" && outcome.error.code, "MEMORY_LIMIT", `${code}: ${JSON.stringify(outcome)}`);
  }
});

test("an answer that has no room among the program's values is a failed call, and the program goes on", async () => {
  // Of many small values each takes far more than its text.
  const many = `{"ok":true,"result":[${"{},".repeat(2_000_000)}{}]}`;
  const one = await run("const { ok, error } = call_tool('s','t',{}); ({ ok, code: error.code })", {
    timeoutMs: 60_000,
    onCall: async () => many,
  });
  assert.deepEqual(one, { kind: "value", json: '{"ok":false,"code":"RESULT_TOO_LARGE"}' });

  const all = await run(
    "call_tools([{ server: 's', tool: 't' }, { server: 's', tool: 't' }]).map((slot) => slot.error.code)",
    {
      timeoutMs: 60_000,
      onCall: async () => `[${many}]`,
    },
  );
  assert.deepEqual(all, { kind: "value", json: '["RESULT_TOO_LARGE","RESULT_TOO_LARGE"]' });
});

test("a host call says how large its answer may be: less when the program holds much", async () => {
  const rooms: number[] = [];
  const onCall: PoolJob["onCall"] = async (_kind, _json, { room }) => {
    rooms.push(room);
    return '{"ok":true,"result":{}}';
  };
  await run("call_tool('s','t',{}); const held = new Uint8Array(35e6); call_tool('s','t',{}); held.length", { onCall });
  assert.deepEqual([rooms[0], rooms.length], [8_000_000, 2]);
  assert.ok(rooms[1]! > 100_000 && rooms[1]! < 5_000_000, String(rooms[1]));
});

test("at least sixty hostile programs are in the table", () => assert.ok(HOSTILE.length >= 60, String(HOSTILE.length)));

for (const { name, code, end, is } of HOSTILE)
  test(`contained: ${name}`, async () => {
    // What must end by an error of its own gets time enough to reach it on a busy machine; the rest is ended by the limit.
    const limit = end === "error" || end === "value" ? 10_000 : 400;
    const from = performance.now();
    const outcome = await run(code, { timeoutMs: limit });
    const took = performance.now() - from;
    const text =
      outcome.kind === "value"
        ? outcome.json
        : outcome.kind === "error"
          ? `${outcome.error.name} ${outcome.error.message}`
          : "";
    // A thread that had to be ended is replaced within the same bound; the margin is for a loaded machine.
    assert.ok(took < limit + 10_000, `${name} took ${took} ms`);
    if (end !== "any") assert.equal(outcome.kind, end, `${name}: ${outcome.kind} ${text}`);
    if (is !== undefined) assert.ok(end === "value" ? text === is : text.includes(is), `${name}: ${text}`);
    assert.deepEqual(
      await run("[1,2].map((x) => x * 2)"),
      { kind: "value", json: "[2,4]" },
      "the next execution is clean",
    );
  });
