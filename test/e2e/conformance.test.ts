import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { serve, wholeFile } from "./daemon.ts";
import { assertPassed, type Check, foundIn, suiteProgram } from "./suite.ts";

/** What each scenario found, by its name. */
let found: Map<string, Check[]>;

const file = wholeFile();

before(async () => {
  const upstream = { command: process.execPath, args: [resolve("test/programs/conformance-upstream.mjs")] };
  const daemon = await serve(file, {
    config: { mcpServers: [{ name: "fixture", quarantined: false, trust_mode: "auto", ...upstream }] },
  });
  const [front, suite] = await Promise.all([
    startProgram("conformance-front.mjs", "--to", `${daemon.url}/mcp/all`, "--prefix", "fixture__"),
    suiteProgram(file, "@modelcontextprotocol/conformance"),
    daemon.listed("fixture"),
  ]);
  file.after(() => front.kill());
  const results = folder(file);
  await run(file, [suite, "server", "--url", front.url, "--suite", "all", "--output-dir", results]);
  found = foundIn(results);
});

const PASSING = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "completion-complete",
  "resources-subscribe",
  "resources-unsubscribe",
  "logging-set-level",
  "tools-call-with-logging",
];
for (const scenario of PASSING)
  test(`/mcp/all passes the official conformance scenario ${scenario}`, () => assertPassed(found.get(scenario)));

test("a call without progress is answered as JSON, to which the scenario server-sse-polling does not apply", () => {
  const checks = found.get("server-sse-polling") ?? [];

  assert.deepEqual(
    checks.map(({ id, status }) => [id, status]),
    [
      ["outgoing-request", "INFO"],
      ["incoming-response", "INFO"],
      ["server-sse-content-type", "INFO"],
    ],
  );
});

test("every server scenario of the suite is accounted for", () => {
  assert.deepEqual([...found.keys()].sort(), [...PASSING, "server-sse-polling"].sort());
});
