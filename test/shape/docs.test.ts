import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isGroup } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { understand } from "#test/kit/cli.ts";

const pages = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((f) => `docs/${f}`),
].filter((f) => f.endsWith(".md"));
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, body]) => body!.split("\n"));

test("code shown in the docs under a file's name is that file's code", () => {
  let seen = 0;
  for (const page of pages)
    for (const [first, ...lines] of blocks(readFileSync(page, "utf8"), "tsx?")) {
      const path = /^\/\/ (\S+\.tsx?)$/.exec(first ?? "")?.[1];
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
      await understand(argv, commands);
    }
  assert.ok(seen >= 8);
});

test("every command has its place in the README's table", async () => {
  const readme = readFileSync("README.md", "utf8");
  for (const [word, load] of Object.entries(commands)) {
    const found = await load();
    if (word === "demo-server") continue;
    const named = isGroup(found) ? Object.keys(found.subCommands) : [word];
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
