import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { folder, startCommand } from "#test/kit/program.ts";
import { KEY, serve, wholeFile } from "./daemon.ts";

/** Longest run of the tool. (seconds) */
const MAX_SECONDS = 100;

/** What an answer must be, whatever is asked. */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "missing_required_header",
  "unsupported_method",
  "ignored_auth",
];

/**
 * Operations that are left out: the event stream never ends; the others ask registries outside this machine, which gives
 * 502 here.
 */
const LEFT_OUT = [
  "/events",
  "/api/v1/registries/{id}/servers",
  "/api/v1/registries/{id}/servers/{serverId}",
  "/api/v1/registries/{id}/servers/{serverId}/add",
];

const at = resolve("test/e2e/contract");
const file = wholeFile();

/** The tool, or why there is none. Installing it is for `.ci/run`: a test asks nobody outside. */
function tool(): { path: string } | { missing: string } {
  const path = process.env.PROXY_SCHEMATHESIS ?? "schemathesis";
  const { error, status } = spawnSync(path, ["--version"], { stdio: "ignore" });
  if (!error && status === 0) return { path };
  return {
    missing: "no schemathesis: PROXY_SCHEMATHESIS=$(test/python/install.sh schemathesis schemathesis) npm test",
  };
}

const found = tool();

test("generated requests of every kind get answers as the API description says, and no server error", {
  skip: "missing" in found && found.missing,
}, async () => {
  assert.ok("path" in found);
  const [empty, home] = [folder(file), folder(file)];
  mkdirSync(join(home, "bin"));
  const server = { command: "no-such-program", quarantined: false };
  const daemon = await serve(file, {
    config: {
      update_check: { enabled: false },
      mcpServers: [
        { name: "git", ...server },
        { name: "web", ...server, enabled: false },
      ],
    },
    // No program can be started, and no client's file be found.
    env: { PATH: join(home, "bin"), HOME: home },
  });

  const options = [
    ...["--url", daemon.url, "--header", `X-API-Key: ${KEY}`, "--checks", CHECKS.join(",")],
    ...LEFT_OUT.flatMap((path) => ["--exclude-path", path]),
    ...["--phases", "examples,coverage,fuzzing", "--max-examples", "3", "--max-time", String(MAX_SECONDS)],
    ...[
      "--generation-deterministic",
      "--no-shrink",
      "--continue-on-failure",
      "--no-color",
      // The parser of Python 3.11 counts its depth for all threads together, and fails when two parse at once.
      "--workers",
      "1",
      "--warnings",
      "off",
    ],
  ];
  const config = ["--config-file", join(at, "schemathesis.toml")];
  const run = startCommand(file, [found.path, ...config, "run", `${daemon.url}/docs/spec.json`, ...options], {
    cwd: empty,
    env: { SCHEMATHESIS_HOOKS: "hooks", PYTHONPATH: at, HOME: home, PYTHONDONTWRITEBYTECODE: "1" },
  });
  const { code, out, err } = await run.ended;

  assert.equal(code, 0, told(out + err));
  assert.match(out, /[1-9]\d{2,} generated/, "hardly anything was asked");
  assert.ok(existsSync(daemon.dir));
});

/** What failed, without the progress before it; generated texts may be very long. */
function told(report: string): string {
  return report
    .slice(Math.max(0, report.indexOf("= FAILURES =")))
    .split("\n")
    .map((line) => line.slice(0, 400))
    .join("\n")
    .slice(0, 20_000);
}
