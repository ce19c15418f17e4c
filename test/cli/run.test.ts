import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type CommandTree, command } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { RestError } from "#lib/client/error.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { cli } from "#test/kit/cli.ts";

const fails = (error: unknown): Command =>
  command({
    meta: { description: "Fail" },
    run() {
      throw error;
    },
  });

const NO_BOX = new RestError({ status: 404, message: 'box "x" not found', code: "no_such_record", requestId: "r-2" });

const TREE: CommandTree = Object.assign(Object.create(null), {
  put: async () =>
    command({
      meta: {
        description: "Put a thing somewhere",
        detail: "It shows what it understood.",
        examples: ["proxy put cup table -n 3"],
      },
      args: {
        name: { type: "positional", description: "its name" },
        places: { type: "positional", description: "where", required: false, many: true },
        header: { type: "string", description: "a header", valueHint: "k=v", many: true },
        limit: { type: "string", number: true, alias: "n", description: "how many" },
        skip: { type: "string", number: true, min: 0, description: "how many to skip" },
        shape: { type: "enum", description: "its shape", options: ["round", "square"] },
        quick: { type: "boolean", description: "do it quickly" },
      },
      rest: "program args…",
      run: ({ cli: { show, globals }, args, rest }) => show({ args, rest, globals }, () => "put"),
    }),
  store: async () =>
    command({
      meta: { description: "Store a URL" },
      ownUrl: "--address <url>",
      args: { name: { type: "positional", description: "its name" } },
      rest: "program args…",
      run: ({ cli: { show, globals } }) => show(globals, () => "stored"),
    }),
  box: async () => ({
    meta: { description: "Boxes" },
    subCommands: Object.assign(Object.create(null), {
      open: async () => command({ meta: { description: "Open" }, run: () => 7 }),
      list: async () => command({ meta: { description: "List", hidden: true }, run: () => 0 }),
      lose: async () => fails(NO_BOX),
      secret: async () => command({ meta: { description: "Hidden", hidden: true }, run: () => 0 }),
    }),
  }),
  locked: async () => fails(new Fault("database_locked", { dir: "/x" })),
  misconfigured: async () => fails(new Fault("config_invalid", { reason: "line 3: listen" })),
  refused: async () =>
    fails(new RestError({ status: 404, message: 'server "x" not found', code: "server_not_found", requestId: "r-1" })),
  invalid: async () => fails(new RestError({ status: 400, message: "bad", code: "invalid_request", requestId: "r" })),
  broken: async () => fails(new Error("boom \x1b[31mred")),
  interrupted: async () => fails(AbortSignal.abort().reason),
});

const shown = async (argv: string[]) => JSON.parse((await cli(["-o", "json", ...argv], TREE)).out);

test("words, flags and what follows -- reach the command with their types", async () => {
  const got = await shown(["put", "cup", "table", "--header", "a=1", "shelf", "--header=b=2", "-n", "3", "--quick"]);

  assert.deepEqual([got.args.name, got.args.places], ["cup", ["table", "shelf"]]);
  assert.deepEqual(got.args.header, ["a=1", "b=2"]);
  assert.deepEqual([got.args.limit, got.args.quick], [3, true]);
  const rest = JSON.parse((await cli(["--json", "put", "x", "--", "npx", "-y", "--json"], TREE)).out);
  assert.deepEqual(rest.rest, ["npx", "-y", "--json"]);
});

test("what citty's own parser would trip over arrives as it was written", async () => {
  const alone = await shown(["put", "--header", "--no-such", "x"]);
  const got = await shown(["put", "x", "-n3", "--header=-o", "--header", "b", "--", "-o", "xml"]);

  assert.deepEqual([alone.args.header, alone.args.name], [["--no-such"], "x"]);
  assert.deepEqual([got.args.name, got.args.places, got.args.limit], ["x", [], 3]);
  assert.deepEqual(got.args.header, ["-o", "b"]);
  assert.deepEqual([got.rest, got.globals], [["-o", "xml"], { output: "json" }]);
});

test("global flags are taken before and after the words", async () => {
  const before = JSON.parse((await cli(["-d", "/data", "--output=json", "put", "x"], TREE)).out);
  const after = await shown(["put", "x", "--data-dir", "/data"]);

  assert.deepEqual(before.globals, { output: "json", dataDir: "/data" });
  assert.deepEqual(after.globals, before.globals);
});

test("--no- turns a boolean off", async () => {
  assert.equal((await shown(["put", "x", "--no-quick"])).args.quick, false);
  assert.equal((await shown(["put", "x", "--quick=false"])).args.quick, false);
});

test("--url before the words selects the proxy, and after the words of a command that stores a URL it is rejected", async () => {
  const before = JSON.parse((await cli(["--url", "http://p:1", "store", "x", "--json"], TREE)).out);
  const after = await cli(["store", "x", "--url=http://p:1"], TREE);
  const elsewhere = await shown(["put", "x", "--url", "http://p:1"]);
  const rest = await cli(["store", "x", "--", "run", "--url", "http://p:1"], TREE);

  assert.equal(before.url, "http://p:1");
  assert.deepEqual([after.code, after.out], [2, ""]);
  assert.match(after.err, /write the URL to store as --address <url>, .*: proxy --url <url> store …\nSee/);
  assert.equal(elsewhere.globals.url, "http://p:1");
  assert.equal(rest.code, 0);
});

const EXITS: [argv: string[], code: number, message: RegExp][] = [
  [["put"], 2, /<name> is missing: its name\nSee: proxy put --help/],
  [["putt", "x"], 2, /unknown command "putt"; did you mean put\?/],
  [["box", "opne"], 2, /unknown command "opne"; did you mean open\?\nSee: proxy box --help/],
  [["box"], 2, /a command is missing: open/],
  [["box", "constructor"], 2, /unknown command "constructor"/],
  [["put", "x", "--haeder", "a"], 2, /unknown flag --haeder; did you mean --header\?/],
  [["put", "x", "-q"], 2, /unknown flag -q/],
  [["--bogus"], 2, /unknown flag --bogus/],
  [["put", "x", "--no-limit"], 2, /unknown flag --no-limit/],
  [["put", "x", "--header"], 2, /--header needs a value \(k=v\)/],
  [["put", "x", "--shape", "--quick"], 2, /--shape needs a value/],
  [["put", "x", "--shape", "roud"], 2, /--shape must be one of round, square, not "roud"; did you mean round\?/],
  [["put", "x", "-n", "three"], 2, /-n must be a number, not "three"/],
  [["put", "x", "-n", "0"], 2, /-n must be at least 1, not 0/],
  [["put", "x", "-n", "-3"], 2, /-n must be at least 1, not -3/],
  [["put", "x", "--skip", "-1"], 2, /--skip must be at least 0, not -1/],
  [["put", "x", "--quick=maybe"], 2, /--quick must be true or false, not "maybe"/],
  [["put", "x", "-o", "xml"], 2, /-o must be one of table, json, yaml/],
  [["box", "open", "extra"], 2, /unexpected argument "extra"/],
  [["box", "open", "--", "x"], 2, /this command takes no arguments after "--"/],
  [["box", "open"], 7, /^$/],
  [["locked"], 3, /data directory \/x is in use/],
  [["misconfigured"], 2, /line 3: listen/],
  [["refused"], 1, /server "x" not found \(request r-1\)\nSee: proxy upstream list\n/],
  [["box", "lose"], 1, /box "x" not found \(request r-2\)\nSee: proxy box list\n/],
  [["invalid"], 2, /bad/],
  [["broken"], 1, /boom �\[31mred/],
  [["interrupted"], 130, /^$/],
];
for (const [argv, code, message] of EXITS)
  test(`"proxy ${argv.join(" ")}" exits ${code}`, async () => {
    const ran = await cli(argv, TREE);

    assert.equal(ran.code, code);
    assert.match(ran.err, message);
    assert.equal(ran.out, "");
  });

test("in json and yaml mode an error is an object on standard error", async () => {
  const json = await cli(["refused", "--json"], TREE);
  const yaml = await cli(["put", "-o", "yaml"], TREE);

  assert.deepEqual(JSON.parse(json.err), {
    success: false,
    error: 'server "x" not found',
    code: "server_not_found",
    request_id: "r-1",
  });
  assert.equal(yaml.err, 'success: false\nerror: "<name> is missing: its name"\ncode: usage\n');
});

test("an error on a terminal leads to its section of the documentation, in the program that shows it", async () => {
  const locked = await cli(["locked"], TREE, { terminal: true });
  assert.match(locked.err, /in use[^\n]*\nMore: proxy docs errors#database_locked\n$/);
  assert.doesNotMatch((await cli(["locked"], TREE)).err, /More:/);
  assert.doesNotMatch((await cli(["broken"], TREE, { terminal: true })).err, /More:/);
  const json = await cli(["locked", "--json"], TREE);
  assert.equal(JSON.parse(json.err).docs, "/docs/guide/errors.html#database_locked");

  const section = await cli(["docs", "errors#database_locked"], commands);
  assert.match(section.out, /^### database_locked\n\n> .*in use/);
});

test("help of the program, a group and a command goes to standard output and exits 0", async () => {
  for (const argv of [[], ["--help"], ["help"], ["-h"]]) {
    const root = await cli(argv, TREE);
    assert.equal(root.code, 0);
    assert.match(root.out, /Usage: proxy <command> \[flags\]/);
  }
  const group = await cli(["box", "--help"], TREE);
  assert.match(group.out, /Commands:\n {2}open {3}Open\n/);
  assert.doesNotMatch(group.out, /secret/);
  const own = await cli(["-d", "folder", "help", "put"], TREE);
  assert.equal((await cli(["box", "help"], TREE)).out, group.out);
  assert.equal(own.out, (await cli(["put", "-h", "--whatever"], TREE)).out);
  assert.equal(
    own.out.slice(0, own.out.indexOf("\nGlobal flags")),
    `Put a thing somewhere

It shows what it understood.

Usage: proxy put <name> [places…] [flags] [-- program args…]

Arguments:
  name     its name
  places   where

Flags:
      --header <k=v>   a header; repeatable
  -n, --limit <n>      how many
      --skip <n>       how many to skip
      --shape <text>   its shape
      --quick          do it quickly
`,
  );
});
