import assert from "node:assert/strict";
import { test } from "node:test";
import { allCitations, citations } from "./citations.ts";
import { requirements } from "./requirements.ts";

const ids = new Set(requirements.map((r) => r.id as string));

test("requirement ids are unique across the documents and read as dotted words", () => {
  assert.equal(ids.size, requirements.length);
  for (const id of ids) assert.match(id, /^[a-z0-9]+(?:[.-][a-z0-9]+)+$/);
});

test("every requirement is one sentence", () => {
  for (const { id, text } of requirements) assert.match(text, /^\S.*\.$/, id);
});

test("every id and section cited by a test exists", () => {
  const numbers = new Set(requirements.map((r) => numberOf(r.section)));
  const found = allCitations("test");
  for (const { file, cites } of found.ids) assert.ok(ids.has(cites), `test/${file} cites unknown ${cites}`);
  for (const { file, cites } of found.sections)
    assert.ok(
      [...numbers].some((n) => n === numberOf(cites) || n.startsWith(`${numberOf(cites)}.`)),
      `test/${file} cites unknown section ${cites}`,
    );
});

test("citations are read from verifies calls and from titles", () => {
  const text = `verifies("rest.a", "x", f); verifies(\n["rest.b",\n "rest.c"], "y", f);
    test("z (spec 000 §4.2, §2.9 rule 6; reference 1.7)", f); test("w (spec 001 §5.2 and 000 §2.7 info)", f);
    test("v (spec 000 §5 item 1)", f);`;

  const found = citations("x.test.ts", text);

  assert.deepEqual(
    found.ids.map((c) => c.cites),
    ["rest.a", "rest.b", "rest.c"],
  );
  assert.deepEqual(
    found.sections.map((c) => c.cites),
    ["000 §4.2", "000 §2.9 rule 6", "001 §5.2", "000 §2.7 info", "000 §5 rule 1"],
  );
});

const numberOf = (section: string) => section.match(/^00[01] §[\d.]+/)?.[0] ?? section;
