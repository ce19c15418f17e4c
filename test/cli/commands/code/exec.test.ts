import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { sandbox } from "#lib/modules/code/state.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { program, ready } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const app = await testApp({
  config: { code_execution_max_tool_calls: 3 },
  servers: [program("echo"), program("other")],
});
const daemon = await listenTest(app);
const files = mkdtempSync(join(tmpdir(), "proxy-"));
const file = (name: string, content: string) => {
  writeFileSync(join(files, name), content);
  return join(files, name);
};
mkdirSync(join(app.dir, "scripts"));
writeFileSync(join(app.dir, "scripts", "double.ts"), "const n: number = input.n; n * 2");
writeFileSync(join(app.dir, "scripts", "void.js"), "");
after(async () => {
  await daemon.close();
  await app.close();
  rmSync(files, { recursive: true, force: true });
});
for (const name of ["echo", "other"]) await ready(app, name);

const env = { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key };
interface World {
  stdin?: string;
  terminal?: boolean;
  color?: boolean;
  signal?: AbortSignal;
}
const exec = (argv: string[], world: World = {}) => cli(["code", "exec", ...argv], commands, { env, ...world });
const value = async (argv: string[], world: World = {}) => {
  const ran = await exec(argv, world);
  assert.deepEqual([ran.code, ran.err], [0, ""], ran.out);
  return JSON.parse(ran.out).value;
};

verifies(
  ["code.cli.output", "code.cli.exit"],
  "the envelope is printed as JSON and nothing else, and success exits 0",
  async () => {
    assert.deepEqual(await exec(["--code", "({ a: [1, null] })"]), {
      code: 0,
      out: `${JSON.stringify({ ok: true, value: { a: [1, null] } }, null, 2)}\n`,
      err: "",
    });
    assert.equal((await exec(["--code", "1", "-o", "yaml"])).out, (await exec(["--code", "1"])).out);
  },
);

test("source comes from the line, a file, standard input, or a stored script", async () => {
  const js = file("sum.js", "input.a + 1");

  assert.equal(await value(["--code", "1 + 1"]), 2);
  assert.equal(await value(["--file", js, "--input", '{"a":1}']), 2);
  assert.equal(await value(["--file", "-"], { stdin: "3" }), 3);
  assert.equal(await value(["--script", "double", "--input", '{"n":4}']), 8);
});

verifies(
  "code.cli.input",
  "input is a JSON object from the line, a file or standard input, {} unless given",
  async () => {
    const json = file("input.json", '{"n":5}');

    assert.deepEqual(await value(["--code", "input"]), {});
    assert.deepEqual(await value(["--code", "input", "--input", '{"a":{"b":1}}']), { a: { b: 1 } });
    assert.deepEqual(await value(["--code", "input", "--input-file", json]), { n: 5 });
    assert.deepEqual(await value(["--code", "input", "--input-file", "-"], { stdin: '{"s":1}' }), { s: 1 });
  },
);

verifies("code.cli.language", "a language is sent only when it was set; a file's .ts says TypeScript", async () => {
  const typed = "const n: number = 2; n";
  const ts = file("typed.ts", typed);

  assert.equal(await value(["--file", ts]), 2);
  assert.equal(await value(["--code", typed, "--language", "typescript"]), 2);
  assert.equal(await value(["--script", "double", "--language", "typescript", "--input", '{"n":1}']), 2);
  const overruled = await exec(["--file", ts, "--language", "javascript"]);
  assert.deepEqual([overruled.code, JSON.parse(overruled.out).error.code], [1, "SYNTAX_ERROR"]);
  const untold = await exec(["--code", typed]);
  assert.deepEqual([untold.code, JSON.parse(untold.out).error.code], [1, "SYNTAX_ERROR"]);
});

const REFUSED: [title: string, argv: string[], code: string, message: RegExp][] = [
  ["no source", [], "INVALID_REQUEST", /^use exactly one of --code, --file and --script$/],
  ["two sources", ["--code", "1", "--file", "x.js"], "INVALID_REQUEST", /--script, not --code and --file$/],
  ["a source and a script", ["--code", "1", "--script", "double"], "INVALID_REQUEST", /not --code and --script$/],
  ["all three", ["--code", "1", "--file", "f", "--script", "s"], "INVALID_REQUEST", /--code and --file and --script/],
  [
    "a file that is not there",
    ["--file", "/nowhere/x.js"],
    "INVALID_REQUEST",
    /^--file: \/nowhere\/x\.js does not exist; correct the path/,
  ],
  ["an input that is no JSON", ["--code", "1", "--input", "{a"], "INVALID_REQUEST", /^--input is not valid JSON: /],
  [
    "an input that is no object",
    ["--code", "1", "--input", "[1]"],
    "INVALID_REQUEST",
    /^--input must be a JSON object/,
  ],
  [
    "an input file that is not there",
    ["--code", "1", "--input-file", "/nowhere"],
    "INVALID_REQUEST",
    /^--input-file: /,
  ],
  ["two inputs", ["--code", "1", "--input", "{}", "--input-file", "x"], "INVALID_REQUEST", /not both$/],
  [
    "standard input twice",
    ["--file", "-", "--input-file", "-"],
    "INVALID_REQUEST",
    /only one of --file and --input-file/,
  ],
  ["no time", ["--code", "1", "--timeout", "0"], "INVALID_REQUEST", /^--timeout must be at least 1, not 0$/],
  [
    "too much time",
    ["--code", "1", "--timeout", "600001"],
    "INVALID_REQUEST",
    /^--timeout must be a whole number .* 1 to 600000, not 600001$/,
  ],
  ["a time that is no number", ["--code", "1", "--timeout", "abc"], "INVALID_REQUEST", /--timeout/],
  ["a language that is none", ["--code", "1", "--language", "python"], "INVALID_REQUEST", /--language/],
  ["a log level that is none", ["--code", "1", "--log-level", "bogus"], "INVALID_REQUEST", /--log-level/],
  ["a flag that is none", ["--code", "1", "--timout", "5"], "INVALID_REQUEST", /--timout/],
  ["too much time", ["--code", "1", "--timeout", "600001"], "INVALID_REQUEST", /not 600001$/],
  ["half a millisecond", ["--code", "1", "--timeout", "1.5"], "INVALID_REQUEST", /not 1\.5$/],
  ["fewer than no calls", ["--code", "1", "--max-tool-calls=-1"], "INVALID_REQUEST", /at least 0, not -1$/],
  [
    "an empty list of servers",
    ["--code", "1", "--allowed-servers", " ,"],
    "INVALID_REQUEST",
    /--allowed-servers is empty/,
  ],
  ["an unknown script", ["--script", "dubble"], "SCRIPT_NOT_FOUND", /1 stored script\(s\): double$/],
  ["a path for a script", ["--script", "../double"], "INVALID_SCRIPT_NAME", /contains "\."/],
  ["an empty script", ["--script", "void"], "SCRIPT_UNUSABLE", /empty/],
  [
    "a contradicting language",
    ["--script", "double", "--language", "javascript"],
    "INVALID_LANGUAGE",
    /by its extension/,
  ],
];
verifies(
  ["code.cli.source", "code.cli.script"],
  "wrong arguments and refusals exit 2, with an envelope that says why",
  async (t) => {
    for (const [title, argv, code, message] of REFUSED)
      await t.test(title, async () => {
        const ran = await exec(argv);
        const { ok, error } = JSON.parse(ran.out);

        assert.deepEqual([ran.code, ok, error.code], [2, false, code]);
        assert.match(error.message, message);
      });
  },
);

test("a line that cannot be read at all is an envelope as well, with the way to the help on standard error", async () => {
  for (const argv of [
    ["--cod", "1"],
    ["--code"],
    ["--code", "1", "--timeout", "long"],
    ["--code", "1", "--language", "ruby"],
  ]) {
    const ran = await exec(argv);
    const { ok, error } = JSON.parse(ran.out);
    assert.deepEqual([ran.code, ok, error.code], [2, false, "INVALID_REQUEST"]);
    assert.match(ran.err, /See: proxy code exec --help/);
  }
});

verifies("code.cli.exit", "an execution that fails exits 1, with its code, message and stack", async () => {
  const thrown = await exec(["--code", "\nnull.x"]);
  const unread = await exec(["--code", "let = ;"]);

  assert.deepEqual([thrown.code, unread.code, thrown.err], [1, 1, ""]);
  assert.match(JSON.parse(thrown.out).error.stack, /script\.js:2:/);
  assert.match(JSON.parse(unread.out).error.message, /line 1, column 7/);
});

verifies("code.cli.timeout", "--timeout ends an execution, in milliseconds", async () => {
  const ran = await exec(["--code", "for (;;) ;", "--timeout", "50"]);

  assert.deepEqual([ran.code, JSON.parse(ran.out).error.code], [1, "TIMEOUT"]);
  assert.match(ran.out, /limit of 50 ms/);
});

const THRICE = "[1,2,3,4].map(() => call_tool('echo','echo',{})).map((r) => r.ok ? 'ok' : r.error.code)";

verifies(
  ["code.cli.max-calls", "config.call-precedence"],
  "--max-tool-calls is the budget; without it the configuration's is",
  async () => {
    assert.deepEqual(await value(["--code", THRICE, "--max-tool-calls", "1"]), [
      "ok",
      ...Array(3).fill("MAX_TOOL_CALLS_EXCEEDED"),
    ]);
    assert.deepEqual(await value(["--code", THRICE]), ["ok", "ok", "ok", "MAX_TOOL_CALLS_EXCEEDED"]);
    assert.deepEqual(await value(["--code", THRICE, "--max-tool-calls", "0"]), Array(4).fill("ok"));
  },
);

verifies("code.cli.allowed", "--allowed-servers is a list with commas", async () => {
  const tried = "['echo','other'].map((s) => call_tool(s,'echo',{}).ok)";

  assert.deepEqual(await value(["--code", tried, "--allowed-servers", "echo"]), [true, false]);
  assert.deepEqual(await value(["--code", tried, "--allowed-servers", "echo, other,"]), [true, true]);
  assert.deepEqual(await value(["--code", tried]), [true, true]);
});

verifies("config.enable-code-execution", "code execution that is switched off exits 2", async () => {
  await app.config.update((draft) => {
    draft.enable_code_execution = false;
  }, "test");
  const ran = await exec(["--code", "1"]);
  const listed = await cli(["code", "scripts", "list"], commands, { env });
  await app.config.update((draft) => {
    draft.enable_code_execution = true;
  }, "test");

  assert.deepEqual([ran.code, JSON.parse(ran.out).error.code, listed.code], [2, "FEATURE_DISABLED", 2]);
  assert.match(listed.err, /disabled; an administrator can set enable_code_execution/);
});

test("a proxy that was named and is not there, or wants a key, is an error; nothing runs here instead", async () => {
  const nowhere = await cli(["code", "exec", "--code", "1"], commands, {
    env: { SERVICE_URL: "http://127.0.0.1:9", SERVICE_DATA: files },
  });
  const noKey = await cli(["code", "exec", "--code", "1", "--url", daemon.url], commands, {
    env: { SERVICE_DATA: files },
  });

  for (const ran of [nowhere, noKey]) assert.deepEqual([ran.code, JSON.parse(ran.out).ok], [1, false]);
  assert.match(nowhere.err, /no proxy is running at http:\/\/127\.0\.0\.1:9/);
  assert.match(noKey.err, /missing or invalid credentials/);
});

verifies("code.cli.exit", "Ctrl-C cancels the execution and its calls in the proxy, and exits 130", async () => {
  const stop = new AbortController();
  const ran = exec(["--code", "call_tool('echo', 'slow', { ms: 20000, mark: 'ctrl-c' })"], { signal: stop.signal });
  const busy = () => app.part(sandbox).facts().running;
  await until("it runs", () => busy() === 1);

  stop.abort();
  const { code, out, err } = await ran;

  assert.deepEqual([code, JSON.parse(out).error.code, err], [130, "CANCELLED", ""]);
  await until("nothing runs any more", () => busy() === 0);
  await until("it is written down", async () => {
    const [latest] = (await app.store.activity.select({ type: ["code_execution"] }, { limit: 1 })).records;
    return latest?.error_message?.startsWith("CANCELLED") === true;
  });
});

test("the record says that the command line asked", async () => {
  await value(["--code", "'who asks'"]);
  const [latest] = (await app.store.activity.select({ type: ["code_execution"] }, { limit: 1 })).records;

  assert.deepEqual([latest?.source, latest?.arguments], ["cli", { code: "'who asks'", input: {} }]);
});

test("on a terminal a line that turns counts the calls, on standard error and without colour unless wanted", async () => {
  const code = "for (let i = 0; i < 3; i++) call_tool('echo', 'slow', { ms: 300 }); 'done'";
  const ran = await exec(["--code", code], { terminal: true });

  assert.deepEqual([ran.code, JSON.parse(ran.out).value], [0, "done"]);
  assert.match(ran.err, /\r⠋ running \(0 s\)/);
  assert.match(ran.err, /running, [12] calls?, last echo:slow \([01] s\)/);
  assert.doesNotMatch(ran.err, /\x1b/);
  // Nothing of it is left on the screen.
  assert.match(ran.err, /\r +\r$/);
});

test("on a terminal the error is told in lines too", async () => {
  const ran = await exec(["--code", "let = ;"], { terminal: true });

  assert.match(ran.err, /SYNTAX_ERROR: .*\n {2}let = ;\n +\^\n$/);
});
