import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { atTerminal } from "#test/kit/terminal.ts";
import { until } from "#test/kit/until.ts";

const PROGRAM = resolve("test/programs/upstream-stdio.mjs");
const app = await testApp({
  servers: [{ name: "echo", command: process.execPath, args: [PROGRAM, "--name", "echo"], trust_mode: "auto" }],
});
const { env } = await listenForCli({ after }, app);
await until("the tools are known", () => app.catalog.get("echo:echo") !== undefined);
const proxy = (...argv: string[]) => cli(argv, commands, { env });

const WEIGH = {
  name: "weigh",
  description: "Weighs a thing.",
  inputSchema: {
    type: "object",
    properties: { kg: { type: "number", description: "its weight" }, what: { type: "string" } },
    required: ["kg"],
  },
};
await proxy("call", "echo:add_tool", "-a", JSON.stringify(WEIGH));
await until("the new tool is known", () => app.catalog.get("echo:weigh") !== undefined);

test("arguments are words, or JSON that words override", async () => {
  const words = await proxy("call", "echo:echo", "a=1", "b:=2");
  const both = await proxy("call", "echo:echo", "--args", '{"a":1,"b":1}', "b:=2");

  assert.deepEqual([words.code, JSON.parse(words.out)], [0, { a: "1", b: 2 }]);
  assert.deepEqual(JSON.parse(both.out), { a: 1, b: 2 });
  assert.equal((await proxy("call", "echo:echo", "a")).code, 2);
});

test("a call takes a time limit in fractions of a second, but not 0", async () => {
  const late = await proxy("call", "echo:slow", "ms:=60000", "--timeout", "0.5");
  const none = await proxy("call", "echo:echo", "--timeout", "0");

  assert.equal(late.code, 1);
  assert.match(late.err, /within 500 ms/);
  assert.equal(none.code, 2);
  assert.match(none.err, /--timeout must be at least 0\.001, not 0/);
});

test("at a terminal the missing required arguments are asked for until they have the right type", async () => {
  const { code, err, left } = await atTerminal(["call", "echo:weigh"], commands, { env, answers: ["", "much", "3.5"] });

  assert.match(err, /its weight\n/);
  assert.match(err, /kg is required\n[\s\S]*kg must be a number, not "much"\n/);
  assert.equal(left, 0);
  assert.ok(code === 0 || code === 1);
  const [record] = JSON.parse((await proxy("activity", "list", "--tool", "weigh", "--json")).out);
  assert.equal(record.tool_name, "weigh");
});

test("at a terminal nothing is asked when all required arguments are there", async () => {
  const { err } = await atTerminal(["call", "echo:weigh", "kg=1"], commands, { env, answers: ["never"] });

  assert.doesNotMatch(err, /kg \(number/);
});

test("tools show describes a tool, its arguments and a call that can be typed", async () => {
  const { code, out, err } = await proxy("tools", "show", "echo:weigh");

  assert.equal(code, 0, err);
  assert.match(out, /^echo:weigh \(approved/);
  assert.match(out, /\nWeighs a thing\.\n/);
  assert.match(out, /\nARGUMENT +TYPE +DESCRIPTION\nkg +number, required +its weight\nwhat +string\n/);
  assert.match(err, /Example: proxy call echo:weigh kg=0/);
  assert.deepEqual(JSON.parse((await proxy("tools", "show", "echo:weigh", "--json")).out).schema, WEIGH.inputSchema);
});

test("tools show suggests similar names", async () => {
  const { code, err } = await proxy("tools", "show", "echo:wiegh");

  assert.equal(code, 1);
  assert.match(err, /lists no tool "wiegh"; did you mean echo:weigh/);
});

test("at a terminal the progress of a call is shown, and the result is the same", async () => {
  const seen = await cli(["call", "echo:progress", "steps=3", "ms:=150", 'message="working"'], commands, {
    env,
    terminal: true,
  });
  const plain = await proxy("call", "echo:progress", "steps=3", "ms:=1");

  assert.deepEqual([seen.code, seen.out], [0, plain.out], seen.err);
  assert.match(seen.err, /[123] of 3|\b[123]; Ctrl-C cancels/);
  const quick = await cli(["call", "echo:echo", "a=1"], commands, { env, terminal: true });
  assert.deepEqual([quick.code, JSON.parse(quick.out)], [0, { a: "1" }]);
  const refused = await cli(["call", "echo:nothing"], commands, { env, terminal: true });
  assert.deepEqual([refused.code, /"echo:nothing" not found/.test(refused.err)], [1, true]);
});

test("Ctrl-C cancels the call on the server, before and after its first progress", async () => {
  for (const [tool, pairs] of [
    ["slow", ["ms:=60000"]],
    ["progress", ["steps:=1000", "ms:=100"]],
  ] as const) {
    const interrupted = new AbortController();
    setTimeout(() => interrupted.abort(new DOMException("interrupted", "AbortError")), 1000);
    const { code } = await cli(["call", `echo:${tool}`, ...pairs], commands, {
      env,
      terminal: true,
      signal: interrupted.signal,
    });

    assert.equal(code, 130, tool);
    await until(`the call of ${tool} is recorded as cancelled`, async () => {
      const { out } = await proxy("activity", "list", "--tool", tool, "--json");
      return /cancel/.test(out);
    });
  }
});
