import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { serve, wholeFile } from "./daemon.ts";
import { SCENARIOS_2025 } from "./scenarios.ts";
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

for (const scenario of SCENARIOS_2025)
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
  assert.deepEqual([...found.keys()].sort(), [...SCENARIOS_2025, "server-sse-polling"].sort());
});
