import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { cli } from "#test/kit/cli.ts";
import { ready, serve, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

/** Where `test/programs/repeating.mjs` says the secret of that name. */
const PLACES = (
  "NAME TITLE VERSION INSTRUCTIONS STDERR STDOUT PERCENT TOOLTITLE DESCRIPTION BASE64 PARAMETER SCHEMA DEFAULT OUTPUT " +
  "ANNOTATION ICON TOOLMETA PROGRESS UNKNOWN ERROR DATA DATANAME DATABASE64 METHOD RESULT RESULTMETA KEYRING ENVIRONMENT " +
  "ARGUMENT"
).split(" ");
const canary = (place: string) => `cnry${place.toLowerCase()}0Zq7Wx4Vb9Nm2`;
const spellings = (place: string) => {
  const bytes = Buffer.from(canary(place));
  return [canary(place), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
};

const ELSEWHERE = /^\/api\/v1\/(registries\/|auth\/|servers\/\{name\}\/login)/;
const PARAMS: Readonly<Record<string, string>> = {
  name: "loud",
  tool: "fail",
  client: "cursor",
  version: "1",
  item: "loud",
};

function filesBelow(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? filesBelow(path) : statSync(path).isFile() ? [path] : [];
  });
}

test("a secret that a server repeats, wherever it can say something, comes out nowhere", async (t) => {
  const references = { KEYRING: "${keyring:repeated}", ENVIRONMENT: "${env:REPEATED_CANARY}" };
  const env = Object.fromEntries(PLACES.map((place) => [`T_${place}_TOKEN`, canary(place)]));
  for (const [place, reference] of Object.entries(references)) env[`T_${place}_TOKEN`] = reference;
  const { app, url, key, post, client } = await serve(t, {
    connect: false,
    env: { REPEATED_CANARY: canary("ENVIRONMENT") },
    config: { enable_socket: true, audit_log: { enabled: true, path: "audit.jsonl" } },
    servers: [
      {
        name: "loud",
        command: process.execPath,
        args: ["test/programs/repeating.mjs", "--token", canary("ARGUMENT")],
        env,
        trust_mode: "auto",
      },
    ],
  });
  const seen: [string, string][] = [];
  const events: EventOf[] = [];
  app.events.subscribe((event) => void events.push(event));
  const agent = await issue(app, { name: "full", permissions: ["read", "write", "destructive"] });
  const tiers: Tier[] = [
    { name: "admin", headers: { "x-api-key": key }, listener: "tcp" },
    { name: "full", headers: { "x-api-key": agent }, listener: "tcp" },
    { name: "nobody", headers: {}, listener: "tcp" },
  ];
  const [admin] = tiers as [Tier];
  await send(app, admin, "POST /api/v1/secrets", { name: "repeated", value: canary("KEYRING") });
  app.upstreams.start();
  await ready(app, "loud");

  const intent = { operation_type: "read" };
  for (const { name, headers } of tiers) {
    const mcp = await client("/mcp/all", headers as Record<string, string>);
    const onprogress = (one: object) => void seen.push([`${name} progress`, JSON.stringify(one)]);
    const thrown = await mcp.callTool({ name: "loud__fail" }, undefined, { onprogress }).catch((error) => error);
    seen.push([`${name} error`, JSON.stringify([thrown.message, thrown.data])]);
    seen.push([`${name} instructions`, `${mcp.getInstructions()} ${JSON.stringify(mcp.getServerVersion())}`]);
    for (const [path, tool, given] of [
      ["/mcp/call", "call_tool_read", { name: "loud:fail", args: {}, intent }],
      ["/mcp/call", "retrieve_tools", { query: "fails with", include_disabled: true }],
      ["/mcp/call", "describe_tool", { ids: ["loud:fail"] }],
      ["/mcp/call", "upstream_servers", { operation: "list" }],
      ["/mcp/call", "upstream_servers", { operation: "get", name: "loud" }],
      ["/mcp/call", "upstream_servers", { operation: "tail_log", name: "loud", lines: 50 }],
      ["/mcp/code", "code_execution", { code: `call_tool("loud", "fail", {})` }],
    ] as const)
      seen.push([`${name} ${tool}`, (await post(toolCall(tool, given), { path, headers })).text]);
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    seen.push([`${name} tools/list`, (await post(list, { path: "/mcp/all", headers })).text]);
    for (const [route, body] of [
      ["POST /api/v1/tools/call", { tool_name: "loud:fail", arguments: {} }],
      ["POST /api/v1/code/exec", { code: `call_tool("loud", "fail", {})` }],
      ["POST /api/v1/servers/loud/refresh", {}],
    ] as const)
      seen.push([`${name} ${route}`, (await send(app, { name, headers, listener: "tcp" }, route, body)).text]);
  }
  // The answer itself is passed on; its record is masked.
  await send(app, admin, "POST /api/v1/tools/call", { tool_name: "loud:answer", arguments: {} });
  const page = async () => (await app.store.activity.select({ type: ["tool_call"] }, { limit: 100 })).records;
  await until("the record of the answer", async () => (await page()).some(({ tool_name }) => tool_name === "answer"));

  const ids = (await page()).map(({ id }) => id);
  for (const tier of tiers)
    for (const { method, path } of endpoints)
      if (method === "GET" && !ELSEWHERE.test(path))
        for (const id of path.includes("{id}") ? ids : [""]) {
          const target = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === "id" ? id : (PARAMS[name] ?? "x")));
          const query = target.endsWith("/export")
            ? "?include_bodies=true"
            : target.endsWith("/search")
              ? "?q=fails"
              : "";
          seen.push([`${tier.name} GET ${target}`, (await send(app, tier, `GET ${target}${query}`)).text]);
        }
  const around = { SERVICE_URL: url, SERVICE_API_KEY: key };
  for (const command of [
    "upstream list",
    "upstream show loud",
    "upstream logs loud",
    "tools list",
    "tools search fails",
    "tools export",
    "call loud:fail",
    "diagnostics",
    "activity list",
    "doctor",
    "security scan loud",
    `lock --file ${join(app.dir, "mcp.lock")}`,
  ]) {
    const { out, err } = await cli([...command.split(" "), "-o", "json"], commands, { env: around });
    assert.doesNotMatch(err, /unknown (command|option)|usage:/i, command);
    seen.push([`proxy ${command}`, out + err]);
  }
  seen.push(["events", JSON.stringify(events)]);
  // The configuration and its history hold what a person wrote there; the vault is encrypted.
  for (const path of filesBelow(app.dir))
    if (!/mcp_config|config-history/.test(path)) seen.push([path, readFileSync(path, "latin1")]);

  const leaks = seen.flatMap(([where, text]) =>
    PLACES.filter((place) => spellings(place).some((spelling) => text.includes(spelling))).map(
      (place) => `${where}: ${place}`,
    ),
  );
  assert.deepEqual([...new Set(leaks)], []);
  for (const file of ["mcp.lock", "audit.jsonl", "proxy.db"])
    assert.ok(
      seen.some(([where]) => where.endsWith(file)),
      `${file} was read`,
    );
  const said = seen.filter(([, text]) => text.includes("••••")).map(([where]) => where);
  for (const where of ["nobody error", "nobody progress", "full tools/list", "nobody upstream_servers", "events"])
    assert.ok(said.includes(where), `${where} holds masks`);
});
