import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { output, type Screen } from "#cli/output.ts";

function screen(color = false): Screen & { text: string } {
  return {
    text: "",
    color,
    write(text) {
      this.text += text;
    },
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const table = () => ({ columns: ["a"], rows: [["x"]], empty: "" });

test("json is indented by two, and control characters of the eight-bit kind are escaped", async () => {
  const out = screen();

  await output("json", out, screen()).show({ a: ["\x9b2J", "\x1b"] }, table);

  assert.equal(out.text, '{\n  "a": [\n    "\\u009b2J",\n    "\\u001b"\n  ]\n}\n');
  assert.deepEqual(JSON.parse(out.text), { a: ["\x9b2J", "\x1b"] });
});

test("json and yaml hold no character that steers a terminal or turns text around, and read back the same", async () => {
  const controls = [0x1b, 0x7f, ...range(0x80, 0x9f), 0x61c, 0x200e, 0x200f, ...range(0x2028, 0x202e)];
  const all = [...controls, ...range(0x2066, 0x2069)].map((code) => String.fromCharCode(code));
  const value = Object.fromEntries(
    all.map((char, i) => [`key ${char}${i}`, [char, `a ${char} b\n${char}`, `${char}: #`]]),
  );
  const unsafe = /[\x1b\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
  for (const form of ["json", "yaml"] as const) {
    const out = screen();

    await output(form, out, screen()).show(value, table);

    assert.ok(!unsafe.test(out.text), form);
    assert.deepEqual(form === "json" ? JSON.parse(out.text) : parse(out.text), value, form);
  }
});

test("yaml keeps long lines whole and numbers apart from texts", async () => {
  const out = screen();

  await output("yaml", out, screen()).show({ n: 1, s: "1", long: "word ".repeat(40) }, table);

  assert.equal(out.text, `n: 1\ns: "1"\nlong: "${"word ".repeat(40)}"\n`);
});

test("nothing at all is null in json and yaml", async () => {
  const [json, yaml] = [screen(), screen()];

  await output("json", json, screen()).show(undefined, table);
  await output("yaml", yaml, screen()).show(undefined, table);

  assert.deepEqual([json.text, yaml.text], ["null\n", "null\n"]);
});

test("a heading is bold where colour is wanted, and plain elsewhere", async () => {
  const [bold, bare] = [screen(true), screen()];

  await output("table", bold, screen()).show(0, table);
  await output("table", bare, screen()).show(0, table);

  assert.deepEqual([bold.text, bare.text], ["\x1b[1mA\x1b[22m\nx\n", "A\nx\n"]);
});

test("remarks are for people: they go to standard error, and not beside json", () => {
  const [people, machine] = [screen(), screen()];

  output("table", screen(), people).note("done\x1b[2J");
  output("json", screen(), machine).note("done");

  assert.deepEqual([people.text, machine.text], ["done�[2J\n", ""]);
});
