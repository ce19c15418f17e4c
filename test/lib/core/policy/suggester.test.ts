import assert from "node:assert/strict";
import { test } from "node:test";
import { editDistance } from "#lib/core/base/edit-distance.ts";
import { nameIndex } from "#lib/core/policy/name-index.ts";
import { createSuggester } from "#lib/core/policy/suggester.ts";
import { splitToolId } from "#lib/core/policy/tool-id.ts";
import { type Random, seeded } from "#test/kit/random.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  "rest.preflight.did-you-mean",
  "the nearest three come back: beginnings first, then by edits, then by name",
  () => {
    const rows: [string, string[], string[]][] = [
      ["git:lgo", ["git:log", "git:diff"], ["git:log"]],
      ["git:logs", ["git:log", "git:logx", "git:logfile"], ["git:log", "git:logx"]],
      ["git:lo", ["git:log2", "git:log", "git:la"], ["git:log", "git:log2", "git:la"]],
      ["git:log", ["git:a", "git:logb", "git:loga", "git:logcc"], ["git:loga", "git:logb", "git:logcc"]],
      ["GitHub:Create_Issue", ["github:create_issue"], ["github:create_issue"]],
      ["gti:log", ["git:log"], ["git:log"]],
      ["xyz:abc", ["git:log"], []],
      ["git:log", ["git:log"], []],
      ["git:log", ["git:lxyz"], []],
      ["", ["git:log"], []],
      ["git:log", [], []],
    ];
    for (const [asked, known, expected] of rows) assert.deepEqual(suggestKnownIds(asked, known), expected, asked);
  },
);

test("what is within two edits is suggested, a swap counting one", () => {
  const rows: [string, string, boolean][] = [
    ["gti:lgo", "git:log", true],
    ["gti:lgos", "git:log", false],
    ["git:lgox", "git:log", true],
    ["git:axx", "git:log", false],
    ["it:og", "git:log", true],
    ["t:og", "git:log", false],
  ];
  for (const [asked, known, near] of rows)
    assert.deepEqual(suggestKnownIds(asked, [known]), near ? [known] : [], `${asked} ${known}`);
});

test("a hostile id costs nothing and suggests nothing", () => {
  const known = Array.from({ length: 1000 }, (_, i) => `git:tool_${i}`);

  assert.deepEqual(suggestKnownIds("a".repeat(1_000_000), known), []);
  assert.deepEqual(suggestKnownIds("git:".repeat(300), ["git:"]), []);
});

test("what is suggested is what comparing every id would find", () => {
  const random = seeded(7);
  const letters = "aabbcg_";
  const word = (length: number) => Array.from({ length }, () => letters[random.below(letters.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const servers = Array.from({ length: 4 }, () => word(3 + random.below(3)));
    const known = [...new Set(Array.from({ length: 40 }, (_, i) => `${servers[i % 4]}:${word(1 + random.below(5))}`))];
    const right = random.pick(known);
    const [server = "", tool = ""] = right.split(":");
    const asked = random.below(2) === 0 ? `${server}:${bend(tool, random)}` : `${bend(server, random)}:${tool}`;
    if (asked.endsWith(":") || asked.startsWith(":")) continue;

    assert.deepEqual(suggestKnownIds(asked, known), compareAll(asked, known), `${asked} among ${known}`);
  }
});

const FLEETS: [string, string[]][] = [
  [
    "200 servers of 50 tools",
    Array.from({ length: 10_000 }, (_, i) => `server_${i % 200}:list_things_${Math.floor(i / 200)}`),
  ],
  ["one server of 10,000 tools", Array.from({ length: 10_000 }, (_, i) => `big:tool_number_${10_000 + i}`)],
  ["10,000 servers of one tool", Array.from({ length: 10_000 }, (_, i) => `server-${10_000 + i}:go`)],
  ["long ids that begin alike", Array.from({ length: 10_000 }, (_, i) => `s:${"x".repeat(495)}${10_000 + i}`)],
];
const QUESTIONS: [string, (i: number, known: string) => string][] = [
  ["unknown servers", (i) => `unknown_${i}:list_things_${i}`],
  ["misspelt servers", (i, known) => `x${i % 10}${known.slice(1)}`],
  ["misspelt tools", (i, known) => `${known.slice(0, -3)}${String.fromCharCode(97 + (i % 26))}${known.slice(-2)}`],
  ["ids of 512 characters", (i) => `s:${"x".repeat(500)}${String(i).padStart(10, "0")}`],
  ["one character", () => "s"],
  ["no colon", (i, known) => known.replace(":", "") + i],
];

for (const [fleet, known] of FLEETS)
  test(`100 unknown ids cost a bounded number of comparisons: ${fleet}`, () => {
    const byServer = new Map<string, string[]>();
    for (const id of known) {
      const server = id.slice(0, id.indexOf(":"));
      byServer.set(server, [...(byServer.get(server) ?? []), id]);
    }
    const indexes = new Map([...byServer].map(([server, ids]) => [server, nameIndex(ids)]));
    for (const [questions, question] of QUESTIONS) {
      const work = { left: 250_000 };
      let asked = 0;
      let seen = 0;
      const ask = createSuggester(
        {
          servers: [...byServer.keys()],
          index: (server) => indexes.get(server)!,
          visible: () => {
            seen++;
            return false;
          },
        },
        work,
      );
      let spent = 0;
      for (let i = 0; i < 100; i++) {
        const before = work.left + 2000;
        ask(question(i, known[(i * 97) % known.length]!));
        asked++;
        spent += before - work.left;
      }
      assert.equal(asked, 100);
      // The last comparison of a question, and the ids it is sure to tell, may overdraw the allowance.
      assert.ok(spent <= 250_000 + 100 * 2000 + 6 * 512 + 400, `${questions}: ${spent}`);
      assert.ok(seen <= 100 * 24, `${questions}: ${seen} ids looked at`);
    }
  });

test("among 10,000 tools a misspelt one is found, and so is a misspelt server", () => {
  for (const [fleet, known] of FLEETS.slice(0, 2))
    for (const right of [known[0]!, known[4321]!, known.at(-1)!]) {
      const [server, tool] = right.split(":") as [string, string];
      for (const asked of [`${server}:${tool}x`, `${server}x:${tool}`])
        assert.ok(
          suggestKnownIds(asked, known).includes(right),
          `${fleet}: ${asked} → ${suggestKnownIds(asked, known)}`,
        );
    }
});

/** Every id compared with every other, without an index: what the rule says. */
function compareAll(asked: string, known: readonly string[]): string[] {
  const wanted = asked.toLowerCase();
  const found = known
    .filter((id) => id !== asked)
    .map((id) => {
      const prefix = id.startsWith(wanted) || wanted.startsWith(id);
      return { id, prefix, distance: prefix ? Math.abs(id.length - wanted.length) : editDistance(wanted, id, 2) };
    })
    .filter(({ prefix, distance }) => prefix || distance <= 2);
  found.sort((a, b) => Number(b.prefix) - Number(a.prefix) || a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return found.slice(0, 3).map(({ id }) => id);
}

/** A text with one or two letters changed, dropped or swapped. */
function bend(text: string, random: Random): string {
  const at = random.below(text.length);
  const kind = random.below(3);
  if (kind === 0) return `${text.slice(0, at)}q${text.slice(at + 1)}`;
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1);
  return text.slice(0, at) + [...text.slice(at, at + 2)].reverse().join("") + text.slice(at + 2);
}

/** Returns suggestions for one id among a few known ids, all of which the caller may see. */
function suggestKnownIds(asked: string, knownIds: Iterable<string>): string[] {
  const byServer = new Map<string, string[]>();
  for (const id of knownIds) {
    const server = splitToolId(id)?.server;
    if (server !== undefined) byServer.set(server, [...(byServer.get(server) ?? []), id]);
  }
  const index = (server: string) => nameIndex(byServer.get(server) ?? []);
  return createSuggester({ servers: [...byServer.keys()], index, visible: () => true })(asked);
}
