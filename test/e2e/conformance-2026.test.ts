import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { serve, wholeFile } from "./daemon.ts";
import { SCENARIOS_2026 } from "./scenarios.ts";
import { assertPassed, type Check, foundIn, suiteProgram, wrongIn } from "./suite.ts";

/** What each scenario required by revision 2026-07-28 found, by its name. */
let found: Map<string, Check[]>;

/** It gives the server 500 to 1,500 ms for each of some answers, which a busy machine may not. */
const HURRIED = "server-stateless";
const TRIES = 8;

const wrongInHurried = () => wrongIn(found.get(HURRIED) ?? []);

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
  for (let tries = 1; tries < TRIES && wrongInHurried().length > 0; tries++) {
    const again = await suiteRun("--scenario", HURRIED, "--spec-version", "2026-07-28");
    found.set(HURRIED, again.get(HURRIED) ?? []);
  }
});

for (const scenario of SCENARIOS_2026)
  test(`/mcp/all passes the official scenario of 2026-07-28 ${scenario}`, () => {
    assertPassed(found.get(scenario));
  });

test("/mcp/all passes the official scenario of 2026-07-28 server-stateless", () => {
  assert.deepEqual(wrongInHurried(), []);
  const right = (found.get(HURRIED) ?? []).filter(({ status }) => status === "SUCCESS").map(({ id }) => id);
  for (const list of ["tools", "prompts"])
    assert.ok(right.includes(`sep-2575-server-sends-${list}-list-changed-on-subscription`), right.join(", "));
});

test("2026-07-28: every list and every read says how long it may be cached", () => {
  const checks = found.get("caching") ?? [];

  assert.deepEqual(
    checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id),
    [
      "sep-2549-tools-list-caching-hints",
      "sep-2549-prompts-list-caching-hints",
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
      "sep-2549-resources-read-caching-hints",
      "sep-2549-ttl-non-negative",
      "sep-2549-cache-scope-valid",
      "wire-schema-valid",
    ],
  );
  assert.deepEqual(wrongIn(checks), []);
});

test("2026-07-28: every message of every scenario keeps to the schema", () => {
  const wires = [...found.values()].flat().filter(({ id }) => id.startsWith("wire-schema"));

  assert.deepEqual(wrongIn(wires), []);
  assert.ok(wires.length > 30);
});

test("2026-07-28: every server scenario of the suite is accounted for", () => {
  const known = [...SCENARIOS_2026, HURRIED, "caching", "tasks-status-notifications"];

  assert.deepEqual([...found.keys()].sort(), known.sort());
});
