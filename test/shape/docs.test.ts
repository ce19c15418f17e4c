import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { GLOBAL_FLAGS } from "#cli/args.ts";
import type { Command, Group } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { parse } from "#cli/parse.ts";

const pages = ["README.md", ...readdirSync("docs").map((f) => `docs/${f}`)].filter((f) => f.endsWith(".md"));
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, body]) => body!.split("\n"));

test("code shown in the docs under a file's name is that file's code", () => {
  let seen = 0;
  for (const page of pages)
    for (const [first, ...lines] of blocks(readFileSync(page, "utf8"), "ts")) {
      const path = /^\/\/ (\S+\.ts)$/.exec(first ?? "")?.[1];
      if (!path) continue;
      seen++;
      const source = readFileSync(path, "utf8").split("\n");
      let at = 0;
      for (const line of lines.filter((l) => l.trim() !== "" && l.trim() !== "…")) {
        const found = source.indexOf(line, at);
        assert.ok(found >= 0, `${page}: ${path} has no line "${line.trim()}" after line ${at}`);
        at = found + 1;
      }
    }
  assert.ok(seen >= 4);
});

test("every command line in the docs is understood", async () => {
  let seen = 0;
  for (const page of pages)
    for (const line of blocks(readFileSync(page, "utf8"), "sh").flat()) {
      const [name, ...argv] = words(line.replace(/\s#.*/, ""));
      if (name !== "proxy") continue;
      seen++;
      const { command, own } = await find(argv);
      parse(own, command.words, { ...GLOBAL_FLAGS, ...command.flags }, command.rest !== undefined);
    }
  assert.ok(seen >= 8);
});

test("every command has its place in the README's table", async () => {
  const readme = readFileSync("README.md", "utf8");
  for (const [word, load] of Object.entries(commands)) {
    const found = await load();
    if (word === "demo-server") continue;
    const named = "commands" in found ? Object.keys(found.commands) : [word];
    const row = readme
      .split("\n")
      .filter((l) => l.startsWith("|") && l.includes(word))
      .join("\n");
    for (const one of named) assert.ok(row.includes(one), `README names no "${word} ${one}"`);
  }
});

test("every link between the docs leads somewhere", () => {
  for (const page of pages)
    for (const [, to] of readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(dirname(page), to!)), `${page} links to ${to}`);
});

const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, bare]) => a ?? b ?? bare!);

async function find(argv: string[]): Promise<{ command: Command; own: string[] }> {
  let found: Command | Group = { about: "", commands };
  const own = [...argv];
  while ("commands" in found) {
    const word: string = own.shift() ?? "";
    const load: (() => Promise<Command | Group>) | undefined = found.commands[word];
    assert.ok(load, `there is no command "${word}" (proxy ${argv.join(" ")})`);
    found = await load();
  }
  return { command: found, own };
}
