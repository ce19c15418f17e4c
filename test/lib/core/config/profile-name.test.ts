import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "#lib/core/config/check.ts";
import "#lib/modules/config.gen.ts";

test("a profile's name is a word for a path, and not one of the paths' own (reference 3.10)", () => {
  const says = (name: string) => {
    const checked = checkConfig({ profiles: [{ name, servers: [] }] });
    return checked.ok ? "" : checked.problems[0].text;
  };
  for (const name of ["a", "0", "work", "a-b_c", "a".repeat(63)]) assert.equal(says(name), "", name);
  for (const name of ["all", "call", "code", "p"])
    assert.match(says(name), /profiles\[0\]\.name: must not be one of all, call/);
  for (const name of ["A", "-a", "_a", "a b", "a/b", "é", "a".repeat(64)])
    assert.match(says(name), /must be 1 to 63/, name);
  assert.match(says(""), /needs a name/);
});
