import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, renderTable } from "#cli/table.ts";
import { cut, width } from "#cli/width.ts";

test("a table is aligned, its heading in capitals", () => {
  const text = renderTable({
    columns: ["name", "tools"],
    rows: [
      ["git", 12],
      ["filesystem", 3],
    ],
    empty: "",
  });

  assert.equal(text, "NAME        TOOLS\ngit         12\nfilesystem  3");
});

test("a table without rows says so in words", () => {
  assert.equal(renderTable({ columns: ["name"], rows: [], empty: "no servers yet" }), "no servers yet");
});

const WIDTHS: [string, number][] = [
  ["abc", 3],
  ["日本語", 6],
  ["한국", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["ﬀ…", 2],
];
for (const [text, columns] of WIDTHS)
  test(`${JSON.stringify(text)} takes ${columns} columns`, () => {
    assert.equal(width(text), columns);
  });

test("wide characters stay aligned and are never cut in half", () => {
  const text = renderTable({
    columns: ["a", "b"],
    rows: [
      ["日本", "x"],
      ["abcd", "y"],
    ],
    empty: "",
  });

  assert.equal(text, "A     B\n日本  x\nabcd  y");
  assert.equal(cut("日本語", 4), "日…");
});

test("on a terminal the widest column gives way, so that every line fits", () => {
  const rows = [["git", "A tool that ".repeat(20), "approved"]];

  const text = renderTable({ columns: ["server", "description", "status"], rows, empty: "" }, { columns: 60, now: 0 });

  for (const line of text.split("\n")) assert.ok(width(line) <= 60, line);
  assert.match(text, /… {2}approved$/);
});

const NOW = new Date(2026, 10, 22, 14, 5, 9).getTime();
const ID = "01m80fryw70000502ym3gk09aa";
const WIDE = {
  columns: ["time", "id", "type", "note", "what", "found"],
  whole: ["id"],
  rows: [
    [new Date(NOW).toISOString(), ID, "tool_quarantine_change", "", "approved, then blocked again", "nothing at all"],
    [new Date(NOW - 86_400_000).toISOString(), ID, "tool_call", "", "", "nothing at all"],
  ],
  empty: "",
};

test("on a terminal ids stay whole, times are short, empty columns go, and the last ones where there is no room", () => {
  assert.equal(
    renderTable(WIDE, { columns: 80, now: NOW }),
    [
      "TIME              ID                          TYPE              WHAT",
      `14:05:09          ${ID}  tool_quarantine…  approved, then…`,
      `2026-11-21 14:05  ${ID}  tool_call`,
    ].join("\n"),
  );
  assert.match(renderTable(WIDE, { columns: 200, now: NOW }), /^TIME +ID +TYPE +WHAT +FOUND\n/);
  assert.match(renderTable(WIDE, { columns: 20, now: NOW }), new RegExp(`^TIME +ID\n14:05:09 +${ID}\n`));
});

test("elsewhere everything is there as it came", () => {
  const text = renderTable(WIDE);

  assert.match(text, /^TIME +ID +TYPE +NOTE +WHAT +FOUND\n/);
  assert.ok(text.includes(new Date(NOW).toISOString()));
});

test("what a server sends cannot steer the terminal", () => {
  const text = renderTable({ columns: ["d"], rows: [["a\x1b]0;title\x07\nb\u202ec\r\n\x9b2J"]], empty: "" });

  assert.equal(text, "D\na�]0;title� b�c �2J");
  assert.equal(plain("one\r\ntwo\x1b[2J"), "one\ntwo�[2J");
});

test("columns are left out in the order that the table names, whole ones too, before any other", () => {
  const table = {
    columns: ["name", "state", "health", "do next", "protocol"],
    rows: [["files", "ready, quarantined", "Quarantined for review", "upstream confirm files", "stdio"]],
    whole: ["name", "do next"],
    leaveOut: ["protocol", "health", "do next"],
    empty: "",
  };
  const heads = (columns: number) => renderTable(table, { columns, now: 0 }).split("\n")[0]!.split(/ {2,}/);

  assert.deepEqual(heads(100), ["NAME", "STATE", "HEALTH", "DO NEXT", "PROTOCOL"]);
  assert.deepEqual(heads(60), ["NAME", "STATE", "HEALTH", "DO NEXT"]);
  assert.deepEqual(heads(44), ["NAME", "STATE", "DO NEXT"]);
  assert.deepEqual(heads(30), ["NAME", "STATE"]);
});
