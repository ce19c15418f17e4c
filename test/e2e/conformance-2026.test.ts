import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";
import { serve, wholeFile } from "./daemon.ts";
import { assertPassed, type Check, foundIn, suiteProgram, wrongIn } from "./suite.ts";

/** What each scenario required by revision 2026-07-28 found, by its name. */
let found: Map<string, Check[]>;

/** It gives the server 500 to 1,500 ms for each of some answers, which a busy machine may not. */
const HURRIED = "server-stateless";
const TRIES = 8;

const file = wholeFile();

before(async () => {
  const args = [resolve("test/programs/conformance-upstream.mjs"), "--era", "both"];
  const upstream = { command: process.execPath, args };
  const daemon = await serve(file, {
    config: { mcpServers: [{ name: "fixture", quarantined: false, trust_mode: "auto", ...upstream }] },
  });
  const [front, suite] = await Promise.all([
    startProgram("conformance-front.mjs", "--to", `${daemon.url}/mcp/all`, "--prefix", "fixture__"),
    suiteProgram(file, "conformance-2026"),
    daemon.listed("fixture"),
  ]);
  file.after(() => front.kill());
  const suiteRun = async (...wanted: string[]) => {
    const results = folder(file);
    await run(file, [suite, "server", "--url", front.url, ...wanted, "--output-dir", results]);
    return foundIn(results);
  };
  found = await suiteRun("--requirements", "2026-07-28");
  for (let tries = 1; tries < TRIES && wrongIn(found.get(HURRIED) ?? []).length > 0; tries++) {
    const again = await suiteRun("--scenario", HURRIED, "--spec-version", "2026-07-28");
    found.set(HURRIED, again.get(HURRIED) ?? []);
  }
});

const PASSING = [
  "server-stateless",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
  "input-required-result-basic-elicitation",
  "input-required-result-basic-sampling",
  "input-required-result-basic-list-roots",
  "input-required-result-request-state",
  "input-required-result-multiple-input-requests",
  "input-required-result-multi-round",
  "input-required-result-missing-input-response",
  "input-required-result-result-type",
  "input-required-result-unsupported-methods",
  "input-required-result-tampered-state",
  "input-required-result-capability-check",
  "input-required-result-ignore-extra-params",
  "input-required-result-validate-input",
  // Not counted by the suite, since its own example does not pass them.
  "json-schema-2020-12",
  "http-header-validation",
  "http-custom-header-server-validation",
];
for (const scenario of PASSING)
  test(`/mcp/all passes the official scenario of 2026-07-28 ${scenario}`, () => {
    assertPassed(found.get(scenario));
  });

/** Scenarios of what is not passed on between clients and upstreams. */
const NOT_RELAYED = [
  "completion-complete",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "sep-2164-resource-not-found",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "input-required-result-non-tool-request",
];

verifies("mcp.error.jsonrpc", "2026-07-28: what is not relayed is refused as an unknown method, not half done", () => {
  for (const scenario of NOT_RELAYED)
    assert.match(wrongIn(found.get(scenario) ?? []).join("\n"), /Method not found|got -32601/, scenario);
});

test("2026-07-28: of what may be cached, tools are said to be, and the rest is not there", () => {
  const checks = found.get("caching") ?? [];

  assert.deepEqual(
    checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id),
    [
      "sep-2549-tools-list-caching-hints",
      "sep-2549-ttl-non-negative",
      "sep-2549-cache-scope-valid",
      "wire-schema-valid",
    ],
  );
  for (const wrong of wrongIn(checks)) assert.match(wrong, /Method not found/);
});

test("2026-07-28: every message of every scenario keeps to the schema", () => {
  const wires = [...found.values()].flat().filter(({ id }) => id.startsWith("wire-schema"));

  assert.deepEqual(wrongIn(wires), []);
  assert.ok(wires.length > 30);
});

test("2026-07-28: every required server scenario is accounted for; tasks are an extension that is not relayed", () => {
  const others = [...found.keys()].filter((name) => !name.startsWith("tasks-"));

  const known = [...PASSING, ...NOT_RELAYED, "caching"];
  assert.deepEqual(others.sort(), known.sort());
});
