import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { renderUsage } from "citty";
import { GLOBAL_ARGS } from "#cli/args.ts";
import { type Command, type CommandTree, type Group, isGroup } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { cli, understand } from "#test/kit/cli.ts";

/** Every help page in one text, reviewed like code; `UPDATE=1 npm test -- test/cli/help` writes it anew. */
const SNAPSHOT = "test/cli/help.txt";

async function* pages(
  tree: CommandTree,
  path: string[] = [],
): AsyncGenerator<{ path: string[]; found: Command | Group }> {
  for (const [word, load] of Object.entries(tree)) {
    const found = await load();
    yield { path: [...path, word], found };
    if (isGroup(found)) yield* pages(found.subCommands, [...path, word]);
  }
}

test("the help of every command is as reviewed", async () => {
  let text = `$ proxy --help\n${(await cli(["--help"], commands)).out}`;
  for await (const { path } of pages(commands)) {
    const { code, out } = await cli([...path, "--help"], commands);
    assert.equal(code, 0);
    // The same on every page; said once, on the first.
    text += `\n$ proxy ${path.join(" ")} --help\n${out.replace(/Global flags:\n(?: {2}.*\n)+\n?/, "")}`;
  }

  if (process.env.UPDATE) writeFileSync(SNAPSHOT, text);
  assert.equal(text, readFileSync(SNAPSHOT, "utf8"));
});

test("every line of help is short enough to be read and says something", async () => {
  for await (const { path, found } of pages(commands)) {
    assert.match(found.meta.description, /^[A-Z][^.]{5,90}$/, path.join(" "));
    if (isGroup(found)) continue;
    for (const [name, arg] of Object.entries(found.args)) {
      assert.ok(arg.description.length > 3, `${path.join(" ")} ${name}`);
      assert.ok(!(name in GLOBAL_ARGS), `${path.join(" ")} has its own ${name}, which says which proxy is meant`);
    }
  }
});

test("every command that stores a URL says how to write it, because --url selects the proxy", async () => {
  const storing: string[] = [];
  for await (const { path, found } of pages(commands)) {
    if (isGroup(found)) continue;
    const storesUrl =
      /^(?:upstream|registry)$/.test(path[0]!) &&
      Object.values(found.args).some(({ description }) => /\bURL\b/.test(description));
    if (storesUrl) storing.push(path.join(" "));
    assert.equal(found.ownUrl !== undefined, storesUrl, path.join(" "));
  }
  assert.ok(storing.length > 0);
});

test("every command is one of citty's, which can make a page of it too", async () => {
  for await (const { path, found } of pages(commands))
    assert.ok((await renderUsage(found)).includes(found.meta.description), path.join(" "));
});

test("every example in the help is a command line that is understood", async () => {
  for await (const { found } of pages(commands)) {
    for (const example of found.meta.examples ?? []) {
      const [name, ...argv] = shellWords(example.replace(/ > .*/, ""));
      assert.equal(name, "proxy", example);
      await understand(argv, commands);
    }
  }
});

const shellWords = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
