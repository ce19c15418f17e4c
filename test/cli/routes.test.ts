import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";

/** Routes without a command of their own, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  "POST /api/v1/config/validate": "`config validate` checks by the same rules in its own process, without a proxy",
  "PATCH /api/v1/config/container-isolation": "the same as `config set docker_isolation.enabled`",
  "GET /api/v1/config/schema": "what docs/configuration.md says, for the panel's form",
  "GET /api/v1/profiles/active": "`profile list` marks it",
  "POST /api/v1/servers/{name}/discover-tools": "another name for refresh, which is `upstream refresh`",
  "POST /api/v1/servers/import": "the form of a browser; `import` sends the text of a file by /import/json",
  "GET /api/v1/admin/servers": "the same as `upstream list`",
  "POST /api/v1/admin/servers/{name}/enable": "the same as `upstream enable`",
  "POST /api/v1/admin/servers/{name}/disable": "the same as `upstream disable`",
  "POST /api/v1/admin/servers/{name}/restart": "the same as `upstream restart`",
  "POST /api/v1/servers/{name}/tools/enable_all":
    "`tools enable` takes the names; this is for programs of other systems",
  "POST /api/v1/servers/{name}/tools/disable_all": "the same as `upstream disable`, but for the connection",
  "GET /api/v1/servers/{name}/tool-calls": "the same as `activity list --server NAME --type tool_call`",
  "GET /api/v1/servers/{name}/diagnostics": "what `doctor` says of that server",
  "GET /api/v1/security/scans": "the history of scans, for the panel; `security report` shows the latest of a server",
  "GET /api/v1/security/scans/{id}/report": "an earlier one of them",
  "GET /api/v1/stats/tokens": "a figure of the panel's overview",
  "GET /api/v1/jobs": "for programs that do not wait for an answer; a command does",
  "GET /api/v1/jobs/{id}": "the same",
  "DELETE /api/v1/jobs/{id}": "the same; a command is ended by Ctrl-C",
  "GET /oauth/callback": "where a browser comes back from a sign-in",
  "GET /metrics": "for Prometheus; `doctor` and `status` say the same to people",
  "GET /docs": "leads a browser to the reference",
  "GET /docs/": "a page for browsers",
  "GET /docs/{file}": "a part of that page",
  "GET /docs/guide": "leads a browser to the documentation",
  "GET /docs/guide/": "a page for browsers; `docs` prints the same text",
  "GET /docs/guide/{file}": "the same",
  "GET /docs/spec.json": "the same document as docs/openapi.json, for programs",
  "GET /docs/spec.yaml": "the same, as YAML",
};

const sources = ["cli", "lib/client"].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts")),
);
const asked = new Set(
  sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"\s]*)"/g)].map(([, route]) => route!),
  ),
);
/**
 * What stands under `/ui` is the panel's own: its pages and how a browser signs in. What people do who signed in at an
 * identity provider, they do with a browser or a program of theirs; the command line is the administrator. By the
 * endpoints of OAuth, MCP clients sign in.
 */
const ELSEWHERE = /^\w+ (\/ui(\/|$)|\/api\/v1\/(auth|user)\/|\/\.well-known\/|\/oauth\/(?!callback))/;
const routes: string[] = endpoints.map(({ route }) => route).filter((route) => !ELSEWHERE.test(route));

test("every route has a command that asks it, or a reason why not", () => {
  const missing = routes.filter((route) => !asked.has(route) && !Object.hasOwn(WITHOUT, route));

  assert.deepEqual(missing, [], "add a command under cli/commands/, or a reason to this test");
});

test("no reason is given for what has a command, or is no route", () => {
  const stale = Object.keys(WITHOUT).filter((route) => asked.has(route) || !routes.includes(route));

  assert.deepEqual(stale, []);
});

test("every route that a command asks is there", () => {
  const known: string[] = endpoints.map(({ route }) => route);
  const unknown = [...asked].filter((route) => !known.includes(route));

  assert.deepEqual(unknown, []);
});
