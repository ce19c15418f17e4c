import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type CommandTree, type Group, isGroup } from "#cli/command.ts";
import { commands } from "#cli/commands.gen.ts";
import { AT_TOP } from "#cli/synonyms.ts";
import { cli } from "#test/kit/cli.ts";

const ROWS: [line: string, answer: RegExp][] = [
  ["list", /unknown command "list"; did you mean "proxy ls" or "proxy tools list"\?/],
  ["remove git", /did you mean "proxy rm"\?/],
  ["delete git", /did you mean "proxy rm"\?/],
  ["log git", /did you mean "proxy logs" or "proxy activity list"\?/],
  ["search mail", /did you mean "proxy tools search"\?/],
  ["upstream ls", /did you mean "proxy upstream list"\?/],
  ["upstream rm git", /did you mean "proxy upstream remove"\?/],
  ["upstream info git", /did you mean "proxy upstream show"\?/],
  ["token rm x", /did you mean "proxy token delete" or "proxy token revoke"\?/],
  ["secrets delete x", /did you mean "proxy secrets remove"\?/],
  ["statsu", /did you mean status\?/],
  ["constructor", /unknown command "constructor"\n/],
];

for (const [line, answer] of ROWS)
  test(`proxy ${line}: exits 2 and says what does the same here`, async () => {
    const { code, err } = await cli(line.split(" "), commands);

    assert.equal(code, 2);
    assert.match(err, answer);
  });

test("what is suggested at the top exists, and no word is suggested for that is a command itself", async () => {
  for (const [word, lines] of Object.entries(AT_TOP)) {
    assert.ok(!(word in commands), word);
    for (const line of lines) assert.ok(await commandAt(line.split(" ")), line);
  }
});

test("the version is told whatever flags stand before it", async () => {
  for (const line of ["-d /x -v", "--json --version", "-v"]) {
    const { code, out } = await cli(line.split(" "), commands);
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+\S*\n$/, line);
  }
});

async function commandAt(words: readonly string[]): Promise<Command | undefined> {
  let found: Command | Group = { meta: { description: "" }, subCommands: commands };
  for (const word of words) {
    const load: CommandTree[string] | undefined = isGroup(found) ? found.subCommands[word] : undefined;
    if (!load) return undefined;
    found = await load();
  }
  return isGroup(found) ? undefined : found;
}
