import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MALLOC_VARIABLES } from "#lib/daemon/malloc-variables.ts";

for (const file of ["mcpproxy.service", "Dockerfile", "image.mjs", "../start.mjs"])
  test(`build/package/${file} sets the variables of malloc that the proxy sets for its own processes`, () => {
    const text = readFileSync(`build/package/${file}`, "utf8");

    const set = Object.fromEntries(
      [...text.matchAll(/(MALLOC_\w+)(?:=|: ")(\w+)/g)].map(([, name, value]) => [name, value]),
    );

    assert.deepEqual(set, MALLOC_VARIABLES);
  });
