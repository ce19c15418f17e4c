import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { wholeFile } from "./daemon.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { SCENARIOS_2025, SCENARIOS_2026 } from "./scenarios.ts";
import { type Check, foundIn, suiteProgram, wrongIn } from "./suite.ts";

/**
 * The official conformance suites over three replicas behind a balancer without affinity: each request of a client goes
 * to another replica than the one before.
 */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const file = wholeFile();

let replicas: Replicas;
/** What each scenario found, by its version and name. */
const found = new Map<string, Check[]>();

const SUITES = {
  2025: { package: "@modelcontextprotocol/conformance", upstream: [], argv: ["--suite", "all"] },
  2026: { package: "conformance-2026", upstream: ["--era", "both"], argv: ["--requirements", "2026-07-28"] },
};

before(async () => {
  if (skip) return;
  const fixture = (name: string, flags: readonly string[]) => ({
    name,
    command: process.execPath,
    args: [resolve("test/programs/conformance-upstream.mjs"), ...flags],
    quarantined: false,
    trust_mode: "auto",
  });
  for (const [version, suite] of Object.entries(SUITES)) {
    replicas = await startReplicas(file, server!, { config: { mcpServers: [fixture("fixture", suite.upstream)] } });
    const [front, program] = await Promise.all([
      startProgram("conformance-front.mjs", "--to", `${replicas.url}/mcp/all`, "--prefix", "fixture__"),
      suiteProgram(file, suite.package),
    ]);
    file.after(() => front.kill());
    const results = folder(file);
    await run(file, [program, "server", "--url", front.url, ...suite.argv, "--output-dir", results]);
    for (const [scenario, checks] of foundIn(results)) found.set(`${version} ${scenario}`, checks);
  }
});

for (const [version, scenarios] of [
  ["2025", SCENARIOS_2025],
  ["2026", SCENARIOS_2026],
] as const)
  test(`three replicas behind a balancer without affinity pass the suite of ${version}`, { skip }, () => {
    const failed = scenarios.flatMap((scenario) => {
      const checks = found.get(`${version} ${scenario}`) ?? [];
      const isPassed = checks.some(({ status }) => status === "SUCCESS");
      return wrongIn(checks)
        .concat(isPassed ? [] : ["nothing was found right"])
        .map((line) => `${scenario}: ${line}`);
    });

    assert.deepEqual(failed, []);
  });
