import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EXIT, LOCK_EXIT } from "#cli/exit.ts";
import { errorsPage } from "#lib/core/api/openapi/errors-page.ts";
import { faultTexts } from "#lib/core/api/openapi/fault-text.ts";
import { docsPath } from "#lib/core/base/docs-path.ts";
import { FAULTS, type FaultCode } from "#lib/core/base/fault.ts";
import { REASONS } from "#lib/core/policy/reasons.ts";
import { EVENT_KINDS } from "#lib/core/schema/event.ts";
import { modules } from "#lib/modules/modules.gen.ts";
import { reference } from "#test/kit/openapi.ts";
import { pages } from "../../build/pages.ts";

// By name: the chunks of the bundled tests are evaluated in the order of the names that they take from each other.
assert.ok(modules.length > 0);
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const made = pages(version);

for (const [page, text] of Object.entries(made))
  test(`${page} is what the code says; when this fails run: npm run docs`, () => {
    const committed = readFileSync(page, "utf8").replaceAll("\r\n", "\n");
    // Not by assert.equal: the difference of two such pages would fill the screen.
    assert.ok(committed === text, `${page} is not in step with the code; write it anew with: npm run docs`);
  });

test("the committed API description is the one that is served, but for who reads it", () => {
  const { info, servers, ...rest } = JSON.parse(made["docs/openapi.json"]!);
  const { info: _info, servers: _servers, ...served } = JSON.parse(JSON.stringify(reference));

  assert.deepEqual(rest, served);
  assert.equal(info.version, version);
  assert.equal(servers.length, 1);
});

test("every fault has its section with a text of its own and what to do, to which its response leads", () => {
  const page = errorsPage();

  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    const { status } = FAULTS[code];
    const [, heading] = docsPath("errors", code).split("/docs/guide/errors.html#");
    const [, section = ""] = page.split(`\n### ${heading}\n`);
    const [said = ""] = section.split(/\n##/);
    assert.match(
      said,
      new RegExp(
        `^\n(?:> .{5,}|The text depends on the cause\\.)\n[^]*\nStatus ${status}(?:: .{5,})?\\. What to do: .{5,}\\.`,
      ),
      code,
    );
    assert.ok(faultTexts(code).length > 0, `${code} has no text that can be shown without facts`);
  }
});

test("every exit code has its line in docs/cli.md, and no other", () => {
  const page = readFileSync("docs/cli.md", "utf8");
  const documented = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  const preflight = Object.values(REASONS).map(({ exit }) => exit);
  const known = new Set<number>([...Object.values(EXIT), ...preflight, ...Object.values(LOCK_EXIT)]);

  assert.deepEqual(
    documented,
    [...known].sort((a, b) => a - b),
  );
});

test("every event has its line in docs/events.md", () => {
  const page = readFileSync("docs/events.md", "utf8");
  const documented = [...page.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, cell]) => cell!.match(/[a-z_.]+/g) ?? []);

  assert.deepEqual(documented.sort(), [...Object.keys(EVENT_KINDS), "status", "ping", "gap"].sort());
});

test("what a fault says when less is known is told, too", () => {
  assert.deepEqual(faultTexts("tool_not_found"), [
    'tool "{id}" not found; did you mean {near}?',
    'tool "{id}" not found; find tools with retrieve_tools or: proxy tools search',
  ]);
});
