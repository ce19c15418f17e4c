import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { GLOBAL_FLAGS } from "#cli/args.ts";
import type { Command, CommandTree, Group } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { parse } from "#cli/parse.ts";
import { cli } from "#test/kit/cli.ts";

/** Every help page in one text, reviewed like code; `UPDATE=1 npm test -- test/cli/help` writes it anew. */
const SNAPSHOT = "test/cli/help.txt";

async function* pages(
  tree: CommandTree,
  path: string[] = [],
): AsyncGenerator<{ path: string[]; found: Command | Group }> {
  for (const [word, load] of Object.entries(tree)) {
    const found = await load();
    yield { path: [...path, word], found };
    if ("commands" in found) yield* pages(found.commands, [...path, word]);
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
    assert.match(found.about, /^[A-Z][^.]{5,90}$/, path.join(" "));
    if ("commands" in found) continue;
    for (const [name, f] of Object.entries(found.flags)) assert.ok(f.about.length > 3, `${path.join(" ")} --${name}`);
  }
});

test("every example in the help is a command line that is understood", async () => {
  for await (const { found } of pages(commands)) {
    if ("commands" in found) continue;
    for (const example of found.examples ?? []) {
      const [name, ...argv] = shellWords(example.replace(/ > .*/, ""));
      assert.equal(name, "proxy", example);
      const { command, own } = await resolve(argv);
      parse(own, command.words, { ...GLOBAL_FLAGS, ...command.flags }, command.rest !== undefined);
    }
  }
});

const shellWords = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);

async function resolve(argv: string[]): Promise<{ command: Command; own: string[] }> {
  let found: Command | Group = { about: "", commands };
  const own = [...argv];
  while ("commands" in found) found = await (found as Group).commands[own.shift()!]!();
  return { command: found, own };
}
