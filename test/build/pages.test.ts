import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
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

test("zsh completes commands", { skip: has("zsh") ? false : "no zsh" }, (t) => {
  const dir = folder(t);
  mkdirSync(join(dir, "functions"));
  writeFileSync(join(dir, "functions/_proxy"), made("build/completions.mjs", "zsh"));
  // What a person would see: a shell on a terminal of its own, and the tabulator. Keys sent before the line editor is
  // up are only echoed, so it says itself when it is.
  const script = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=(${dir}/functions \\$fpath); autoload -Uz compinit; compinit -u -d ${dir}/dump; bindkey '^I' complete-word; stty cols 300; zle-line-init() { print REA''DY }; zle -N zle-line-init"
while zpty -r z line; do [[ $line == *READY* ]] && break; done
zpty -n -w z $'proxy tools app\\t x\\C-aecho \\C-e\\n'
while zpty -r z line; do [[ $line == proxy* ]] && print -r -- $line && break; done
zpty -d z`;

  const { stdout } = spawnSync("zsh", ["-f", "-c", script], {
    encoding: "utf8",
    env: { ...process.env, HOME: dir },
    timeout: 20_000,
  });

  assert.match(stdout, /^proxy tools approve +x/);
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
