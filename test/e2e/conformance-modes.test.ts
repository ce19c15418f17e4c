import { resolve } from "node:path";
import { before, test } from "node:test";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { type Daemon, serve, wholeFile } from "./daemon.ts";
import { assertPassed, type Check, foundIn, suiteProgram } from "./suite.ts";

/** The scenarios that are not about a tool's name: they hold in every mode. */
const BOTH = [
  "completion-complete",
  "dns-rebinding-protection",
  "prompts-get-embedded-resource",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-with-image",
  "prompts-list",
  "resources-list",
  "resources-read-binary",
  "resources-read-text",
  "resources-templates-read",
  "tools-list",
];
const SUITES = {
  "2025-11-25": {
    package: "@modelcontextprotocol/conformance",
    upstream: [],
    argv: ["--suite", "all"],
    scenarios: [
      ...BOTH,
      "logging-set-level",
      "ping",
      "resources-subscribe",
      "resources-unsubscribe",
      "server-initialize",
    ],
  },
  "2026-07-28": {
    package: "conformance-2026",
    upstream: ["--era", "both"],
    argv: ["--requirements", "2026-07-28"],
    scenarios: [...BOTH, "caching", "input-required-result-non-tool-request", "sep-2164-resource-not-found"],
  },
};
const MODES = ["/mcp/call", "/mcp/code"];

const file = wholeFile();
/** What each scenario found, by mode, version and scenario. */
const found = new Map<string, Check[]>();

before(async () => {
  for (const [version, suite] of Object.entries(SUITES)) {
    const args = [resolve("test/programs/conformance-upstream.mjs"), ...suite.upstream];
    const fixture = { name: "fixture", command: process.execPath, args, quarantined: false, trust_mode: "auto" };
    const daemon = await serve(file, { config: { mcpServers: [fixture] } });
    await daemon.listed("fixture");
    const program = await suiteProgram(file, suite.package);
    for (const mode of MODES)
      for (const [scenario, checks] of await suiteRun(daemon, mode, [program, "server", ...suite.argv]))
        found.set(`${mode} ${version} ${scenario}`, checks);
  }
});

async function suiteRun(daemon: Daemon, mode: string, argv: string[]): Promise<Map<string, Check[]>> {
  const front = await startProgram("conformance-front.mjs", "--to", daemon.url + mode, "--prefix", "fixture__");
  try {
    const results = folder(file);
    await run(file, [...argv, "--url", front.url, "--output-dir", results]);
    return foundIn(results);
  } finally {
    await front.kill();
  }
}

for (const mode of MODES)
  for (const [version, { scenarios }] of Object.entries(SUITES))
    for (const scenario of scenarios)
      test(`${mode} passes the official conformance scenario ${scenario} of ${version}`, () =>
        assertPassed(found.get(`${mode} ${version} ${scenario}`)));
