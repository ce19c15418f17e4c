import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configKeys } from "#lib/core/config/config-keys.ts";
import { configurationPage } from "#lib/core/config/configuration-page.ts";
import "#lib/modules/config.gen.ts";

test("docs/configuration.md is what the schema says; write it with: npm run docs", () => {
  assert.equal(readFileSync("docs/configuration.md", "utf8").replaceAll("\r\n", "\n"), configurationPage());
});

test("every key and member has a type people understand and a meaning", () => {
  const rows = configurationPage()
    .split("\n")
    .filter((line) => line.startsWith("| `") && !line.startsWith("| `SERVICE_"))
    .map((line) => line.split(/(?<!\\) \| /));

  assert.ok(rows.length > configKeys().length + 50, `${rows.length} rows`);
  for (const row of rows) {
    assert.match(
      row[1]!,
      /^(string|object|`true`|`[a-z_-]+`(, `[a-z_-]+`)*|list of|map of|duration,|(whole )?number from)/,
      row[0],
    );
    assert.ok(row.at(-1)!.replace(/ \|$/, "").length > 5, row[0]);
  }
});

test("logging and server_edition are hot in part, as the page says", () => {
  assert.deepEqual(
    configKeys()
      .filter((k) => k.facts.restartWithin)
      .map((k) => k.key),
    ["logging", "server_edition"],
  );
});
