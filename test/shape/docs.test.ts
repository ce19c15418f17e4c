import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isGroup } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { understand } from "#test/kit/cli.ts";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
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

test("every command has its place in the table of the command line's page", async () => {
  const page = readFileSync("docs/cli.md", "utf8");
  for (const [word, load] of Object.entries(commands)) {
    const found = await load();
    if (word === "demo-server") continue;
    const named = isGroup(found) ? Object.keys(found.subCommands) : [word];
    const row = page
      .split("\n")
      .filter((l) => l.startsWith("|") && l.includes(word))
      .join("\n");
    for (const one of named) assert.ok(row.includes(one), `docs/cli.md names no "${word} ${one}"`);
  }
});

test("every link between the docs leads to a page and, where it names one, to a heading of it", () => {
  for (const page of pages)
    for (const [, to = "", anchor] of readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = to === "" ? page : join(dirname(page), to);
      assert.ok(existsSync(target), `${page} links to ${to}`);
      if (anchor !== undefined) assert.ok(anchors(target).includes(anchor), `${page}: ${to} has no heading #${anchor}`);
    }
});

test("a source file that a comment or a page names exists", () => {
  const files = ["lib", "handlers", "cli", "build", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const known = (path: string) => files.some((file) => file === path || file.endsWith(`/${path}`));
  const source = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
  const missing: string[] = [];
  for (const file of [...source, ...pages])
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (!file.endsWith(".md") && !/^\s*(\/\/|\/?\*)/.test(line)) continue;
      for (const [, path] of line.matchAll(/`([\w[\].-]+(?:\/[\w[\].-]+)*\.(?:ts|tsx|mjs))`/g))
        if (!path!.endsWith(".gen.ts") && !known(path!)) missing.push(`${file}: ${path}`);
    }
  assert.deepEqual(missing, []);
});

/** The anchors that GitHub gives to a page's headings. */
function anchors(page: string): string[] {
  const text = readFileSync(page, "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, bare]) => a ?? b ?? bare!);
