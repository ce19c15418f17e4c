import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
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

test("the manual page has every command and is well formed", async (t) => {
  const page = made("build/man.mjs");
  const help = (await cli(["--help"], commands)).out;
  const [, list = ""] = /Commands:\n((?: {2}.*\n)+)/.exec(help) ?? [];

  for (const [, word] of list.matchAll(/^ {2}(\S+)/gm))
    assert.match(page, new RegExp(`^\\.SS "proxy ${word!.replaceAll("-", "\\\\-")}`, "m"), word);
  assert.doesNotMatch(page, /[^\x00-\x7f]/);
  if (!has("mandoc")) return t.diagnostic("not linted: no mandoc");
  const lint = spawnSync("mandoc", ["-T", "lint", "-W", "warning"], { encoding: "utf8", input: page });
  assert.deepEqual([lint.status, lint.stdout], [0, ""]);
});
