import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { commands } from "#cli/commands.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { send, storeScript, type Tier } from "#test/kit/access.ts";
import { cli } from "#test/kit/cli.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Each secret is planted in one place and holds that place's name, so that a leak says where it came from. */
const planted: string[] = [];
const canary = (place: string): string => {
  const value = `cnry${place}0Zq7Wx4Vb9Nm2`;
  planted.push(value);
  return value;
};
/** One that has the shape of a secret, for places whose name says nothing. */
const shaped = (place: string): string => {
  const value = `${place}9fK2mQ7xR4tB8wZ1nC5v`.padEnd(36, "J3hG6pL0sD").slice(0, 36);
  planted.push(value);
  return `ghp_${value}`;
};

const PLACES = {
  env: canary("env"),
  header: canary("header"),
  query: canary("query"),
  userinfo: canary("userinfo"),
  flag: canary("flag"),
  arg: shaped("arg"),
  clientSecret: canary("clientsecret"),
  extraParam: canary("extraparam"),
  keyring: canary("keyring"),
  stderr: canary("stderr"),
  argument: canary("argument"),
  shapedArgument: shaped("inargs"),
  result: shaped("result"),
  upstreamError: shaped("uperror"),
  code: shaped("incode"),
  script: shaped("script"),
  oldEnv: canary("oldenv"),
};

/** What may stand in a path; a wrong value is an answer, too. */
const PARAMS: Readonly<Record<string, readonly string[]>> = {
  name: ["up", "web", "broken", "db-password", "full"],
  tool: ["echo"],
  client: ["cursor"],
  version: ["1", "2"],
  id: [],
  page: ["servers"],
  item: ["up"],
  part: ["tools"],
  file: ["index.html"],
  serverId: ["x"],
};
/** They ask somebody else, or wait for it. */
const ELSEWHERE = /^\/api\/v1\/(registries\/|auth\/|servers\/\{name\}\/login)/;

function paths(template: string, ids: readonly string[]): string[] {
  const param = /\{(\w+)\}/.exec(template);
  if (!param) return [template];
  const values = param[1] === "id" ? ids : (PARAMS[param[1]!] ?? ["x"]);
  return values.flatMap((value) => paths(template.replace(param[0], encodeURIComponent(value)), ids));
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

verifies(
  ["rest.redact.surfaces", "rest.redact.one-rule-set", "rest.redact.logs"],
  "planted secrets come out nowhere: no route, event, export, log line, command or tool shows one",
  async (t) => {
    const { app, url, key, post } = await serve(t, {
      connect: false,
      config: { enable_socket: true, profiles: [{ name: "front", servers: ["up"] }] },
      servers: [
        { ...program("up"), env: { API_TOKEN: PLACES.env } },
        {
          name: "web",
          url: `http://app:${PLACES.userinfo}@127.0.0.1:1/mcp?api_key=${PLACES.query}`,
          headers: { Authorization: `Bearer ${PLACES.header}`, "X-Api-Key": PLACES.header },
          oauth: {
            client_id: "app",
            client_secret: PLACES.clientSecret,
            extra_params: { audience: PLACES.extraParam },
          },
        } as never,
        {
          name: "broken",
          command: process.execPath,
          args: [
            "-e",
            "console.error('login failed: token=' + process.env.API_TOKEN); process.exit(3)",
            "--token",
            PLACES.flag,
            PLACES.arg,
          ],
          env: { API_TOKEN: PLACES.stderr },
        },
      ],
    });
    const seen: [string, string][] = [];
    const events: EventOf[] = [];
    app.events.subscribe((event) => void events.push(event));
    app.upstreams.start();
    const agent = await issue(app, { name: "full", permissions: ["read", "write", "destructive"] });
    const tiers: Tier[] = [
      { name: "admin", headers: { "x-api-key": key }, listener: "tcp" },
      { name: "full", headers: { "x-api-key": agent }, listener: "tcp" },
      { name: "nobody", headers: {}, listener: "tcp" },
    ];
    planted.push(key, agent);
    const [admin] = tiers as [Tier];
    const ask = (route: string, body?: object) => send(app, admin, route, body);
    await app.upstreams.get("up")?.ensureReady(10_000);
    await until("tools", () => app.catalog.of("up").some((row) => row.present));

    await ask("POST /api/v1/secrets", { name: "db-password", value: PLACES.keyring });
    await ask("PATCH /api/v1/servers/up", { env: { API_TOKEN: PLACES.oldEnv } });
    await ask("PATCH /api/v1/servers/up", { env: { API_TOKEN: PLACES.env } });
    app.upstreams.start();
    await app.upstreams.get("up")?.ensureReady(10_000);
    storeScript(app as never, "planted", `const token = "${PLACES.script}"; token.length`);
    const args = { password: PLACES.argument, note: `use ${PLACES.shapedArgument}` };
    const calls: [string, object][] = [
      ["up:echo", args],
      ["up:raw", { json: JSON.stringify({ content: [{ type: "text", text: PLACES.result }] }) }],
      ["up:fail", { message: `refused: Bearer ${PLACES.upstreamError}` }],
      ["up:rpc_error", args],
      ["web:nothing", args],
      ["up:nothing", args],
    ];
    for (const [tool_name, given] of calls) await ask("POST /api/v1/tools/call", { tool_name, arguments: given });
    await post(toolCall("call_tool_destructive", { name: "up:echo", args, intent: { operation_type: "read" } }));
    await ask("POST /api/v1/code/exec", { code: `const key = "${PLACES.code}"; throw new Error("broke " + key)` });
    await ask("POST /api/v1/code/exec", { script: "planted" });
    await until("the records", async () => (await app.store.activity.select({}, { limit: 50 })).total >= 8);

    const ids = (await app.store.activity.select({}, { limit: 50 })).records.map(({ id }) => id);
    const gets = endpoints.filter(({ method, path }) => method === "GET" && !ELSEWHERE.test(path));
    assert.ok(gets.length > 30);
    for (const tier of tiers)
      for (const { path } of gets)
        for (const target of paths(path, ids)) {
          const query = target.endsWith("/export")
            ? "?include_bodies=true"
            : target.endsWith("/search")
              ? "?q=echo"
              : "";
          const { text } = await send(app, tier, `GET ${target}${query}`);
          seen.push([`${tier.name} GET ${target}`, text]);
        }
    const asked: [string, object][] = [
      ["retrieve_tools", { query: "echo", include_disabled: true }],
      ["describe_tool", { ids: ["up:echo", "web:nothing"] }],
      ["upstream_servers", { operation: "list" }],
      ["upstream_servers", { operation: "tail_log", name: "broken", lines: 50 }],
      ["upstream_servers", { operation: "get", name: "web" }],
      ["code_execution", { script: "planted" }],
    ];
    for (const { name, headers } of tiers)
      for (const path of ["/mcp", "/mcp/all", "/mcp/code"]) {
        for (const [tool, given] of asked)
          seen.push([`${name} ${path} ${tool}`, (await post(toolCall(tool, given), { path, headers })).text]);
        seen.push([
          `${name} ${path} list`,
          (await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { path, headers })).text,
        ]);
      }
    for (const command of [
      "status",
      "upstream list",
      "tools list",
      "activity list",
      "doctor",
      "config show",
      "secrets list",
      "token list",
    ]) {
      const env = { SERVICE_URL: url, SERVICE_API_KEY: admin.headers["x-api-key"]! };
      const { out, err } = await cli([...command.split(" "), "-o", "json"], commands, { env });
      seen.push([`proxy ${command}`, out + err]);
    }
    seen.push(["events", JSON.stringify(events)]);
    for (const path of filesBelow(join(app.dir, "logs"))) seen.push([path, readFileSync(path, "utf8")]);

    const leaks = seen.flatMap(([where, text]) =>
      planted.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
    );
    assert.deepEqual(leaks, []);
    assert.ok(seen.filter(([, text]) => text.includes("••••")).length > 10, "what was looked at does hold masks");
  },
);
