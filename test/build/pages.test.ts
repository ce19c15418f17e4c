import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { cli } from "#test/kit/cli.ts";
import { has } from "#test/kit/machine.ts";
import { folder } from "#test/kit/program.ts";

function made(script: string, ...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Lines and what a person at the end of them is offered; "…" stands for further words. */
const OFFERED: [line: string, offered: string[]][] = [
  ["proxy ups", ["upstream"]],
  ["proxy tools app", ["approve"]],
  ["proxy -d /tmp tools app", ["approve"]],
  ["proxy tools --json app", ["approve"]],
  ["proxy status --out", ["--output"]],
  ["proxy status -o ", ["json", "table", "yaml"]],
  ["proxy serve --routing-mode ", ["code_execution", "direct", "retrieve_tools"]],
];

const shells: Record<string, (t: TestContext, file: string, line: string) => string> = {
  bash(_, file, line) {
    const words = line.split(" ").map((w) => `'${w}'`);
    const script = `source ${file}; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _proxy; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" }).stdout;
  },
  fish(t, file, line) {
    const env = { PATH: process.env.PATH, HOME: folder(t) };
    const { stdout } = spawnSync("fish", ["--no-config", "-c", `source ${file}; complete -C "${line}"`], {
      encoding: "utf8",
      env,
    });
    return stdout.replace(/\t.*/g, "");
  },
};

for (const [shell, offers] of Object.entries(shells))
  test(`${shell} completes commands, flags and values`, { skip: has(shell) ? false : `no ${shell}` }, (t) => {
    const file = join(folder(t), "completions");
    writeFileSync(file, made("build/completions.mjs", shell));

    for (const [line, offered] of OFFERED)
      assert.deepEqual(offers(t, file, line).split("\n").filter(Boolean).sort(), offered, line);
  });

test("zsh completes commands, flags and values", { skip: has("zsh") ? false : "no zsh" }, (t) => {
  const file = join(folder(t), "completions");
  writeFileSync(file, made("build/completions.mjs", "zsh"));
  // In place of zsh's own functions, which need a person at a terminal: what they are given is what is offered.
  const offered = (line: string) => {
    const words = line.split(" ").map((w) => `'${w}'`);
    const script = `
compdef() { }
_describe() { print -rl -- \${(P)4} }
_arguments() { print -rl -- "$@" }
source ${file}
words=(${words.join(" ")}) CURRENT=${words.length}
_proxy`;
    return spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).stdout.split("\n");
  };

  assert.ok(offered("proxy ").some((l) => l.startsWith("upstream:Manage upstream")));
  for (const line of ["proxy tools app", "proxy -d /tmp tools app", "proxy tools --json app"])
    assert.ok(offered(line).includes("approve:Approve new or changed tools"), line);
  const flags = offered("proxy status -");
  assert.ok(flags.includes("(--output -o)-o[table (default), json or yaml]:form:(table json yaml)"), flags.join("\n"));
  assert.ok(flags.some((l) => /^\(--data-dir -d\)--data-dir\[.*\]:folder:_files -\/$/.test(l)));
});

/** A program on the PATH that stands for `proxy`: it prints two names and what it was asked. */
function namingProgram(t: TestContext): { PATH: string; asked: string } {
  const dir = folder(t);
  const asked = join(dir, "asked");
  writeFileSync(join(dir, "proxy"), `#!/bin/sh\necho "$@" > ${asked}\necho git:log\necho git:\n`, { mode: 0o755 });
  return { PATH: `${dir}:${process.env.PATH}`, asked };
}

test("bash completes names from the running proxy, also after a colon", {
  skip: has("bash") ? false : "no bash",
}, (t) => {
  const { PATH, asked } = namingProgram(t);
  const file = join(folder(t), "completions");
  writeFileSync(file, made("build/completions.mjs", "bash"));
  const offered = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source ${file}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _proxy; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8", env: { PATH } });
    return [stdout.split("\n").filter(Boolean), readFileSync(asked, "utf8").trim()];
  };

  assert.deepEqual(offered("proxy", "-d", "/x", "call", "gi"), [
    ["git:log", "git:"],
    "__complete tools gi -d /x call gi",
  ]);
  assert.deepEqual(offered("proxy", "call", "git", ":", "l")[0], ["log"]);
  assert.match(String(offered("proxy", "call", "git", ":", "l")[1]), /^__complete tools git:l /);
  assert.match(String(offered("proxy", "call", "git", ":")[1]), /^__complete tools git: /);
  assert.match(String(offered("proxy", "tools", "list", "-s", "g")[1]), /^__complete servers g /);
});

test("fish completes names from the running proxy", { skip: has("fish") ? false : "no fish" }, (t) => {
  const { PATH, asked } = namingProgram(t);
  const file = join(folder(t), "completions");
  writeFileSync(file, made("build/completions.mjs", "fish"));
  const script = `source ${file}; complete -C "proxy upstream show gi"`;
  const env = { PATH, HOME: folder(t) };

  const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8", env });

  assert.match(stdout, /^git:log$/m);
  assert.match(readFileSync(asked, "utf8"), /^__complete servers gi upstream show/);
});

test("zsh completes names from the running proxy", { skip: has("zsh") ? false : "no zsh" }, (t) => {
  const { PATH, asked } = namingProgram(t);
  const file = join(folder(t), "completions");
  writeFileSync(file, made("build/completions.mjs", "zsh"));
  const script = `
compdef() { }
compadd() { shift; [[ $1 == '' ]] && shift 2; print -rl -- "$@" }
_arguments() { print -r -- "\${@[-1]}" }
source ${file}
words=(proxy call gi) CURRENT=3 PREFIX=gi
_proxy
_proxy_names tools`;

  const { stdout } = spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8", env: { PATH } });

  assert.match(stdout, /^\*: :_proxy_names tools$/m);
  assert.match(stdout, /^git:log$/m);
  assert.match(readFileSync(asked, "utf8"), /^__complete tools gi call gi/);
});

test("PowerShell completes commands and names", { skip: has("pwsh") ? false : "no pwsh" }, (t) => {
  const { PATH } = namingProgram(t);
  const file = join(folder(t), "completions.ps1");
  writeFileSync(file, made("build/completions.mjs", "powershell"));
  const offered = (line: string) => {
    const script = `. ${file}; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    return spawnSync("pwsh", ["-NoProfile", "-c", script], { encoding: "utf8", env: { PATH } }).stdout;
  };

  assert.match(offered("proxy ups"), /^upstream$/m);
  assert.match(offered("proxy upstream show gi"), /^git:log$/m);
});

/** Prints what of the standard input the grammar of PowerShell does not accept, one piece in a line. */
const POWERSHELL_ERRORS = `
import sys, tree_sitter, tree_sitter_powershell
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
def errors(node):
    if node.is_error or node.is_missing: yield node
    for child in node.children: yield from errors(child)
for node in errors(parser.parse(sys.stdin.buffer.read()).root_node):
    print(node.start_point.row + 1, (node.text or b"").decode()[:80].splitlines()[:1])
`;

const grammar = process.env.TEST_PYTHON_POWERSHELL;
test("the script for PowerShell is valid by a grammar of PowerShell, which finds a missing parenthesis", {
  skip: grammar ? false : "no grammar: TEST_PYTHON_POWERSHELL=$(test/python/install.sh powershell python) npm test",
}, () => {
  const errors = (input: string) => {
    const { status, stdout, stderr } = spawnSync(grammar!, ["-c", POWERSHELL_ERRORS], { encoding: "utf8", input });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const script = made("build/completions.mjs", "powershell");

  assert.equal(errors(script), "");
  assert.notEqual(errors(script.replace("foreach ($word in $words) {", "foreach ($word in $words {")), "");
});

test("the manual page has every command and is well formed", async (t) => {
  const page = made("build/man.mjs");
  const help = (await cli(["--help"], commands)).out;
  const words = [...help.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].filter(([, word]) => word !== "help");

  assert.ok(words.length > 20);
  for (const [, word] of words)
    assert.match(page, new RegExp(`^\\.SS "proxy ${word!.replaceAll("-", "\\\\-")}`, "m"), word);
  assert.doesNotMatch(page, /[^\x00-\x7f]/);
  if (!has("mandoc")) return t.diagnostic("not linted: no mandoc");
  const lint = spawnSync("mandoc", ["-T", "lint", "-W", "warning"], { encoding: "utf8", input: page });
  assert.deepEqual([lint.status, lint.stdout], [0, ""]);
});
