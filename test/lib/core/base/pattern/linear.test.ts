import assert from "node:assert/strict";
import { test } from "node:test";
import { compileLinearPattern, patternProblem } from "#lib/core/base/pattern/linear.ts";
import { effortMs } from "#test/kit/effort.ts";
import { seeded } from "#test/kit/random.ts";

const matches = (source: string, text: string) =>
  compileLinearPattern(source)
    .find(text, 0, text.length, 1000)
    .map(({ start, end }) => text.slice(start, end));

test("an expression finds what the language's own finds", () => {
  const rows: [string, string][] = [
    ["EMP-\\d{6}", "EMP-123456 and EMP-654321, EMP-12"],
    ["\\bcat\\b", "cat concat cat-cat category cat"],
    ["a|ab|abc", "abcabab"],
    ["(?:ab)+c?", "ababc ab abab"],
    ["a+?b", "aaab ab"],
    ["[^\\s,]+", "one, two,three"],
    ["[a-c\\d_-]{2,3}", "abcd12_-x9"],
    ["^x.*$", "x1\ny\nx2"],
    ["(?<name>ab){2}", "abababab"],
    ["\\x41\\u0042", "AB ab"],
    ["ä|[α-ω]+", "ä αβγ z"],
    ["\\.\\*\\?", ".*? .?"],
    ["a{0,2}b", "b ab aab aaab"],
  ];
  for (const [source, text] of rows) {
    const own = [...text.matchAll(new RegExp(source, "gm"))].map(([whole]) => whole).filter((whole) => whole !== "");
    assert.deepEqual(matches(source, text), own, source);
  }
  assert.deepEqual(matches("(?i)secret[A-C]", "SECRETa secretC secretd"), ["SECRETa", "secretC"]);
});

test("drawn by lot, too, an expression finds what the language's own finds", () => {
  const random = seeded(99);
  const atoms = ["a", "b", "[ab]", "[^a]", ".", "(?:ab)", "(?:a|b)", "\\b", "(?:a|ab)", "\\w"];
  const counts = ["", "", "", "+", "*", "?", "{1,2}", "{2}", "+?"];
  for (let i = 0; i < 2000; i++) {
    const parts = Array.from({ length: 1 + random.below(4) }, () => {
      const atom = random.pick(atoms);
      return atom === "\\b" ? atom : atom + random.pick(counts);
    });
    const source = parts.join("");
    const text = random.text(["a", "b", " ", "c", "ab"], 12);
    const own = [...text.matchAll(new RegExp(source, "gm"))].map(([whole]) => whole).filter((whole) => whole !== "");
    // A match of nothing at one place may hide one of something at the same; only expressions without are compared.
    if (new RegExp(`^(?:${source})$`).test("")) continue;
    assert.deepEqual(matches(source, text), own, `${source} on ${JSON.stringify(text)}`);
  }
});

test("drawn by lot, an expression is in a text exactly where the language's own is, at the ends of the text alone", () => {
  const random = seeded(7);
  const atoms = ["a", "b", "[ab]", "[^a]", ".", "(?:ab)", "(?:a|b)", "\\b", "^", "$", "(?:|a)", "\\w"];
  const counts = ["", "", "", "+", "*", "?", "{1,2}", "{2}", "+?"];
  for (let i = 0; i < 3000; i++) {
    const parts = Array.from({ length: 1 + random.below(4) }, () => {
      const atom = random.pick(atoms);
      return atom === "\\b" || atom === "^" || atom === "$" ? atom : atom + random.pick(counts);
    });
    const source = parts.join("");
    const text = random.text(["a", "b", " ", "\n", "ab"], 6);
    const found = compileLinearPattern(source, { anchors: "text" }).test(text);
    assert.equal(found, new RegExp(source).test(text), `${source} on ${JSON.stringify(text)}`);
  }
});

test("what could not be read in linear time, or means nothing, is refused with a reason", () => {
  const rows: [string, RegExp][] = [
    ["(a)\\1", /backreferences/],
    ["(?=a)b", /look-around/],
    ["(?<!a)b", /look-around/],
    ["(a", /not closed/],
    ["a)", /too many/],
    ["[a", /not closed/],
    ["*a", /nothing to repeat before/],
    ["a**", /another count/],
    ["a{3,1}", /backwards/],
    ["a{9999}", /beyond/],
    ["(?:(?:a{100}){100}){100}", /too large/],
    ["\\p{L}", /not supported/],
    ["a\\", /backslash/],
  ];
  for (const [source, reason] of rows) assert.match(patternProblem(source) ?? "", reason, source);
  assert.equal(patternProblem("EMP-\\d{6}"), undefined);
});

/** Long enough that trying every end for every beginning would take minutes. (characters) */
const LENGTH = 200_000;

test("an expression that takes ages elsewhere takes time in proportion to the text", () => {
  for (const source of ["(a+)+b", "(a|aa)+$", "(.*)*x", "(?:a?){30}a{30}"]) {
    const text = "a".repeat(LENGTH);
    const effort = effortMs(() => compileLinearPattern(source).find(text, 0, text.length, 10));
    assert.ok(effort < 10_000, `${source}: ${effort} ms`);
  }
});
