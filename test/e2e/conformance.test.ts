import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { build } from "esbuild";
import { folder, run } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";
import { serve, wholeFile } from "./daemon.ts";

/** One thing a scenario looked at. */
interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

/** What each scenario found, by its name. */
const found = new Map<string, Check[]>();

const file = wholeFile();

before(async () => {
  const upstream = { command: process.execPath, args: [resolve("test/programs/conformance-upstream.mjs")] };
  const daemon = await serve(file, {
    config: { mcpServers: [{ name: "fixture", quarantined: false, trust_mode: "auto", ...upstream }] },
  });
  const [front, suite] = await Promise.all([
    startProgram("conformance-front.mjs", "--to", `${daemon.url}/mcp/all`, "--prefix", "fixture__"),
    bundled(),
    daemon.listed("fixture"),
  ]);
  file.after(() => front.kill());
  const results = folder(file);
  await run(file, [suite, "server", "--url", front.url, "--suite", "all", "--output-dir", results]);
  for (const name of readdirSync(results)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
    found.set(scenario, JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")));
  }
});

/** The suite imports a function that Node 20 has not, though it needs it for no server; bundled it starts all the same. */
async function bundled(): Promise<string> {
  const outfile = resolve("dist/conformance.cjs");
  await build({
    entryPoints: [resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js")],
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    outfile,
  });
  return outfile;
}

function passes(scenario: string): void {
  const checks = found.get(scenario) ?? [];
  const wrong = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");

  assert.deepEqual(
    wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    [],
  );
  assert.ok(
    checks.some(({ status }) => status === "SUCCESS"),
    "nothing was found right",
  );
}

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
];
for (const scenario of PASSING)
  test(`/mcp/all passes the official conformance scenario ${scenario}`, () => passes(scenario));

/** Scenarios of what is not passed on between clients and upstreams. */
const NOT_RELAYED = [
  "logging-set-level",
  "tools-call-with-logging",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "completion-complete",
];

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

verifies("mcp.error.jsonrpc", "what is not relayed is refused as an unknown method or tool, not half done", () => {
  for (const scenario of NOT_RELAYED) {
    const said = (found.get(scenario) ?? []).map(({ errorMessage }) => errorMessage ?? "").join("\n");
    assert.match(said, /MCP error -32601: Method not found|MCP error -32602: Invalid params: Unknown tool/);
  }
});

test("every server scenario of the suite is accounted for", () => {
  assert.deepEqual([...found.keys()].sort(), [...PASSING, ...NOT_RELAYED, "server-sse-polling"].sort());
});
