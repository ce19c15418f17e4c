import assert from "node:assert/strict";
import { test } from "node:test";
import { runStepsToEnd } from "#lib/core/base/loop-share.ts";
import { type SearchableTool, termWeights } from "#lib/core/catalog/term-weights.ts";
import { termsOf } from "#lib/core/catalog/terms.ts";
import { createToolRanking, type ToolRanking } from "#lib/core/catalog/tool-ranking.ts";
import { effortMs } from "#test/kit/effort.ts";

function tool(id: string, description = "", parameters: Record<string, unknown> = {}): SearchableTool {
  const [server = "", name = ""] = id.split(":");
  return { id, server, name, description, inputSchema: { type: "object", properties: parameters } };
}

function indexOf(tools: readonly SearchableTool[]): ToolRanking {
  const index = createToolRanking();
  for (const t of tools) put(index, t);
  return index;
}

function put(index: ToolRanking, t: SearchableTool): void {
  index.put(t, termWeights(t, termsOf));
}

const search = (index: ToolRanking, query: string) => runStepsToEnd(index.search(query));
const ids = (index: ToolRanking, query: string, limit = 5) =>
  [...search(index, query)].slice(0, limit).map((f) => f.id);

const TOOLS = [
  tool("git:commit", "Records changes to the repository"),
  tool("git:log", "Shows the commit history"),
  tool("git:create_branch", "Creates a branch"),
  tool("mail:send", "Sends an email to one or more people", { recipient: { type: "string" } }),
  tool("files:read_file", "Reads the contents of a file", { path: { description: "absolute location" } }),
  tool("files:list_directory", "Lists what a directory holds"),
  tool("clock:now", "The current time in a timezone"),
  tool("ticket:get-train", "查询12306中转余票信息"),
];

test("a tool is found by words of its name, server, description and parameters", () => {
  const index = indexOf(TOOLS);
  const rows: [string, string][] = [
    ["branch", "git:create_branch"],
    ["git history", "git:log"],
    ["read contents", "files:read_file"],
    ["recipients", "mail:send"],
    ["absolute", "files:read_file"],
    ["余票", "ticket:get-train"],
    ["票", "ticket:get-train"],
  ];
  for (const [query, id] of rows) assert.equal(ids(index, query)[0], id, query);
});

test("other words for the same thing find a tool, below the words themselves", () => {
  const index = indexOf([...TOOLS, tool("x:mail_letter", "Puts a letter into the post")]);
  assert.equal(ids(index, "what is in this folder")[0], "files:list_directory");
  assert.equal(ids(index, "remove a folder")[0], "files:list_directory");
  const [first, second] = search(index, "email people");
  assert.equal(first?.id, "mail:send");
  assert.ok(first!.score > (second?.score ?? 0));
});

test("spelling varies: two words or one, a word begun, a slip of the finger", () => {
  const index = indexOf(TOOLS);
  assert.equal(ids(index, "time zone")[0], "clock:now");
  assert.equal(ids(index, "reposi")[0], "git:commit");
  assert.equal(ids(index, "direcotry")[0], "files:list_directory");
  assert.equal(ids(index, "brnach")[0], "git:create_branch");
});

test("a query that is a name or an id puts that tool first, however it is written", () => {
  const index = indexOf([...TOOLS, tool("other:commit", "Anything else"), tool("a:list", "create branch ".repeat(50))]);
  assert.deepEqual(ids(index, "COMMIT", 2), ["git:commit", "other:commit"]);
  assert.equal(ids(index, "other:commit")[0], "other:commit");
  assert.equal(ids(index, "create branch")[0], "git:create_branch");
  assert.equal(ids(index, "git create-branch")[0], "git:create_branch");
});

test("who answers more of a question is before who answers less of it with a rarer word", () => {
  const words = ["walrus", "pelican", "otter", "lizard", "beaver"];
  const others = Array.from({ length: 25 }, (_, i) => tool(`f${i}:t`, words[i % 5]));
  const index = indexOf([...others, tool("a:one", "walrus pelican"), tool("b:two", "parrot")]);
  assert.deepEqual(ids(index, "walrus pelican parrot", 2), ["a:one", "b:two"]);
});

test("a rare word that only stands for a common one does not outweigh it", () => {
  const files = Array.from({ length: 15 }, (_, i) => tool(`f${i}:t${i}`, "Changes a file"));
  const index = indexOf([...files, tool("a:other", "Changes a document"), tool("z:none", "Walks the dog")]);
  const found = ids(index, "file", 20);
  assert.equal(found.at(-1), "a:other");
  assert.equal(found.length, 16);
});

test("the other tools of a server speak for a tool", () => {
  const slides = ["add_slide", "save_slide", "format_slide"].map((name) => tool(`ppt:${name}`, "Works on a slide"));
  const index = indexOf([...slides, tool("ppt:save", "Saves the file"), tool("aaa:save", "Saves the file")]);
  const found = ids(index, "save file slide", 10);
  assert.ok(found.indexOf("ppt:save") < found.indexOf("aaa:save"), found.join());
});

test("scores are finite and fall, equal ones go by id, and nothing comes twice", () => {
  const twins = ["c", "a", "b"].map((server) => tool(`${server}:same`, "Does the same thing"));
  const index = indexOf([...TOOLS, ...twins]);
  for (const query of ["same thing", "same", "get the file", "commit"]) {
    const found = [...search(index, query)];
    assert.ok(
      found.every((f) => Number.isFinite(f.score) && f.score > 0),
      query,
    );
    assert.ok(
      found.every((f, i) => i === 0 || f.score <= found[i - 1]!.score),
      query,
    );
    assert.equal(new Set(found.map((f) => f.id)).size, found.length, query);
  }
  assert.deepEqual(ids(index, "does same thing", 3), ["a:same", "b:same", "c:same"]);
});

test("odd queries answer something sane", () => {
  const odd = [
    tool("js:constructor", "Makes an object"),
    tool("js:__proto__", "Is an object"),
    tool("!:?!", "Pelicans"),
  ];
  const index = indexOf([...TOOLS, ...odd]);
  const rows: [string, string[]][] = [
    ["", []],
    ["   ", []],
    ["what is it that we do", []],
    ["🦜🦜", []],
    ["?!…", []],
    ["\u0000\ud800", []],
    ["zzzzqqqq", []],
    ["__proto__", ["js:__proto__"]],
    ["constructor", ["js:constructor"]],
    ["isPrototypeOf", []],
  ];
  for (const [query, first] of rows) assert.deepEqual(ids(index, query, 1), first, query);
  const huge = [...search(index, `commit ${"lorem ipsum git ".repeat(7000)}`)];
  assert.ok(huge.length > 0 && huge.every((f) => Number.isFinite(f.score)));
});

test("a search that was left half walked does not disturb the next one", () => {
  const index = indexOf(TOOLS);
  const before = [...search(index, "commit history of the repository")];

  const half = search(index, "commit file")[Symbol.iterator]();
  half.next();
  const meanwhile = [...search(index, "commit history of the repository")];
  half.next();

  assert.deepEqual(meanwhile, before);
  assert.deepEqual([...search(index, "commit history of the repository")], before);
});

test("tools that are added while a search runs are not found, and those that are removed are left out", () => {
  const many = Array.from({ length: 3000 }, (_, i) => tool(`many:file_${i}`, "Reads a file"));
  const index = indexOf(many);
  const steps = index.search("read a file");

  steps.next();
  for (let i = 0; i < 3000; i += 2) index.remove(`many:file_${i}`);
  for (let i = 0; i < 500; i++) put(index, tool(`other:file_${i}`, "Reads a file"));
  const found = [...runStepsToEnd(steps)].map(({ id }) => id);

  assert.ok(found.length > 0 && found.length <= 1500, `${found.length} found`);
  assert.deepEqual(
    found.filter((id) => !/^many:file_\d*[13579]$/.test(id)),
    [],
  );
  assert.equal([...search(index, "read a file")].length, 2000);
});

test("tools come and go without a trace: the index ranks as one that never knew the others", () => {
  const churned = createToolRanking();
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 200; i++) put(churned, tool(`churn:t${i}`, `Round ${round} of file commit number ${i}`));
    for (const t of TOOLS) put(churned, t);
    for (let i = 0; i < 200; i++) churned.remove(`churn:t${i}`);
  }
  const fresh = indexOf(TOOLS);

  churned.remove("never:there");
  assert.equal(churned.size, TOOLS.length);
  for (const query of ["commit", "file", "churn", "round 3", "number", "who keeps the repo history"])
    assert.deepEqual([...search(churned, query)], [...search(fresh, query)], query);
});

test("a tool put again is found by its new words only", () => {
  const index = indexOf(TOOLS);
  put(index, tool("files:read_file", "Prints pelicans"));
  assert.deepEqual(ids(index, "pelican"), ["files:read_file"]);
  assert.ok(!ids(index, "contents").includes("files:read_file"));
  assert.equal(index.size, TOOLS.length);
});

test("a tool of megabytes is indexed in bounded time", () => {
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { enum: [`e${i}`] }]));
  const index = indexOf([]);

  const effort = effortMs(() => put(index, tool("big:one", "Lorem ipsum parrot. ".repeat(100_000), properties)));

  assert.ok(effort < 5000, `${effort} ms`);
  assert.deepEqual(ids(index, "parrot"), ["big:one"]);
});
