import assert from "node:assert/strict";
import { test } from "node:test";
import { readSpoolLines, spoolLine } from "#lib/modules/cluster/spool-lines.ts";

const lines = [{ n: 1 }, { n: 2, text: "a\nb\0\u2028" }, { n: 3 }].map(spoolLine);

test("records are read back", () => {
  assert.deepEqual(readSpoolLines(lines.join("")), {
    records: [{ n: 1 }, { n: 2, text: "a\nb\0\u2028" }, { n: 3 }],
    damaged: 0,
  });
  assert.deepEqual(readSpoolLines(""), { records: [], damaged: 0 });
});

test("a file that was cut anywhere loses at most its last line", () => {
  const text = lines.join("");
  for (let length = 0; length < text.length; length++) {
    const { records, damaged } = readSpoolLines<{ n: number }>(text.slice(0, length));

    const whole = lines.filter((_, n) => lines.slice(0, n + 1).join("").length <= length).length;
    assert.deepEqual(
      records.map(({ n }) => n),
      [1, 2, 3].slice(0, whole),
    );
    assert.equal(damaged, lines.slice(0, whole).join("").length === length ? 0 : 1);
  }
});

test("a line in which a character changed is left out, its neighbours are not", () => {
  const [first = "", second = "", third = ""] = lines;
  for (let at = 0; at < second.length - 1; at++) {
    const changed = second.slice(0, at) + (second[at] === "x" ? "y" : "x") + second.slice(at + 1);

    const { records, damaged } = readSpoolLines<{ n: number }>(first + changed + third);

    assert.deepEqual(
      records.map(({ n }) => n),
      [1, 3],
    );
    assert.equal(damaged, 1);
  }
});
