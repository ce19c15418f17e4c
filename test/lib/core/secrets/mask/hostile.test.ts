import assert from "node:assert/strict";
import { test } from "node:test";
import { maskArgs } from "#lib/core/secrets/mask/args.ts";
import { maskJson } from "#lib/core/secrets/mask/json.ts";
import { scrubLine } from "#lib/core/secrets/mask/lines.ts";
import { maskUrl } from "#lib/core/secrets/mask/url.ts";
import { effortMs } from "#test/kit/effort.ts";

/** Pieces that, repeated, make a careless expression try every end for every beginning. */
const PIECES = [
  ...[
    "eyJ",
    "eyJaaaaaaaaa.",
    "eyJaaaaaaaa-",
    "_eyJaaaaaaaa",
    "ghp_",
    "github_pat_",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY",
    "SG.aaaaaaaaaaaaaaaaaaaaaa",
  ],
  ...[
    "Mabcdefghijabcdefghijabcde.",
    "12345678:",
    "a://",
    "://aaaaaaaaaaaaaaaaaaaaaaa:",
    "https://a?token=",
    "a:b@",
    "@",
  ],
  ...['token="', 'token=\\"', "token= ", "token:\n", "cookie: ", "Bearer ", "authorization: digest ", "api ", "--a "],
  ...["a", "a.", "-", "_", "=", ":", "/a", "?a=b&", "%25", '"', "\\", "\\\\\\", "`", " ", "\t", "Ab3/", "aB3"],
  ...[
    "<password>",
    "<a",
    "<password>a<",
    "login a ",
    "login a password ",
    "-u a",
    "-u a:",
    "dapi0",
    "pat-na1-",
    "oy2a",
  ],
  ...["••••", "••••ab (5", "•••• (999999999", "${env:", "${env:a b", "key:", "secret=${env:X}", "{", "[["],
];
/** Long enough that trying every end for every beginning would take minutes. */
const LENGTH = 100_000;

test("any text is masked in time that grows with its length only", () => {
  const forms = [scrubLine, (s: string) => maskUrl(`x://${s}`), (s: string) => maskUrl(`https://h/?${s}`)];
  for (const piece of PIECES)
    for (const form of forms) {
      const text = piece.repeat(Math.ceil(LENGTH / piece.length));
      let masked = "";

      const effort = effortMs(() => {
        masked = form(text);
      });

      assert.ok(effort < 5_000, `${JSON.stringify(piece)}: ${effort} ms`);
      assert.ok(masked.length <= 4 * text.length, JSON.stringify(piece));
    }
});

test("a long row of closing marks in a value is read once", () => {
  for (const mark of ",;)]}>") {
    const effort = effortMs(() => void scrubLine(`password=${mark.repeat(40_000)}!`));

    assert.ok(effort < 2_000, `${mark}: ${effort} ms`);
  }
});

test("deep, wide and odd JSON is masked within bounds", () => {
  let deep: unknown = "x";
  for (let i = 0; i < 100_000; i++) deep = { token: deep };
  assert.match(JSON.stringify(maskJson(deep)), /left out/);

  const wide = maskJson(Array.from({ length: 300_000 }, () => "password=abc"));
  assert.equal(wide.length, 300_000);
  assert.ok(wide.every((s) => s === "password=••••bc (3 chars)" || s === "[left out]"));

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  assert.match(JSON.stringify(maskJson(cyclic)), /left out/);

  const polluted = maskJson(JSON.parse('{"__proto__":{"token":"abc"},"constructor":{"password":"def"}}'));
  assert.equal(Object.getPrototypeOf(polluted), Object.prototype);
  assert.doesNotMatch(JSON.stringify(polluted), /"abc"|"def"/);
});

test("a command line of any length is masked", () => {
  assert.equal(maskArgs(Array.from({ length: 100_000 }, () => "--token")).length, 100_000);
  assert.equal(maskArgs(["--token", "x".repeat(1_000_000)])[1], "••••xx (1000000 chars)");
});
