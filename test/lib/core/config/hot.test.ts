import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { App } from "#lib/core/app.ts";
import { type Config, configKeys } from "#lib/core/config/config-keys.ts";
import { upstreamCredentials } from "#lib/core/extension/upstream-credentials.ts";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { serverRecord } from "#lib/core/verbs/servers/record.ts";
import { serverIsolation } from "#lib/modules/isolation/state.ts";
import { diagnostics } from "#lib/modules/oauth/diagnostics.ts";
import { settingsOf } from "#lib/modules/oauth/settings.ts";
import { updates } from "#lib/modules/update/state.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { INITIALIZE, jsonOf, program, type Served, serve, textOf, toolCall } from "#test/kit/mcp.ts";
import { replacePart } from "#test/kit/parts.ts";
import { until } from "#test/kit/until.ts";
import "#lib/modules/config.gen.ts";

/** A proxy, and what is asked of it in more than one row. */
interface World extends Served {
  clock: HandClock;
  /** Calls a tool of the server `up` over REST. @returns the status, and the record's number is one more */
  call(tool: string, args?: object): Promise<number>;
  /** A tool of one of the MCP endpoints. @returns its result */
  tool(name: string, args: object, path?: string): Promise<object>;
  /** A method of an MCP endpoint. @returns its result */
  ask(method: string, path?: string): Promise<{ [member: string]: unknown }>;
  rest(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }>;
  run(code: string, options?: object): Promise<Answer>;
  /** The newest record of a call. */
  record(): Promise<ActivityRecord | undefined>;
}
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
type Answer = any;

/** A key that takes effect at once: what can be seen of it before it is changed, and after. */
interface Row {
  /** The configuration before; the key has its default in it unless it stands here. */
  given?: Partial<Config>;
  to: unknown;
  see(world: World): unknown;
  before: unknown;
  after: unknown;
  /** Flags of the server `up`. */
  flags?: string[];
  /** Members of its entry. */
  entry?: object;
  /** The clock is moved by hand. */
  byHand?: true;
  prepare?(world: World): unknown;
}

const SECRET = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const OLD_MS = 10 * 86_400_000;

const both = async ({ call }: World) =>
  (await Promise.all([call("slow", { ms: 150 }), call("slow", { ms: 150 })])).sort();
const codes = (slots: Answer) => slots.value.map(({ ok, error }: Answer) => (ok ? "ok" : error.code)).sort();
const stats = async ({ app }: World) => {
  const upstream = app.upstreams.get("up")!;
  const { result } = await upstream.request("tools/call", { name: "stats", arguments: {} }, { timeoutMs: 60_000 });
  return jsonOf(result as object);
};
const withHost = (url: string, host: string) =>
  new Promise<number>((done, fail) => {
    const asked = request(`${url}/healthz`, { headers: { host } }, (res) => done(res.resume().statusCode ?? 0));
    asked.on("error", fail).end();
  });
/** A record as one of long ago. */
const addOld = (app: App, id: string, response = "") =>
  app.store.activity.add({
    id,
    type: "tool_call",
    source: "api",
    status: "success",
    at: app.clock.now() - OLD_MS,
    tool_name: "old",
    response,
  });
const old = async (app: App) => (await app.store.activity.select({ tool: "old" }, { limit: 1 })).total;

const ROWS: Record<string, Row | { heldBy: string }> = {
  require_mcp_auth: { to: true, see: async ({ post }) => (await post(INITIALIZE)).status, before: 200, after: 401 },
  trusted_hosts: { to: ["proxy.test"], see: ({ url }) => withHost(url, "proxy.test"), before: 403, after: 200 },
  trusted_proxies: {
    to: ["127.0.0.1", "::1"],
    see: async ({ post, record }) => {
      const message = toolCall("call_tool_read", { name: "up:echo", args: {}, intent: { operation_type: "read" } });
      await post(message, { headers: { "x-forwarded-for": "203.0.113.9" } });
      return (await record())?.metadata?.client_ip === "203.0.113.9";
    },
    before: false,
    after: true,
  },
  outbound_allow: {
    to: ["127.0.0.1"],
    see: ({ app, url }) =>
      app.egress.fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) }).then(
        ({ status }) => status,
        (error) => error.code,
      ),
    before: "address_refused",
    after: 200,
  },
  reveal_secret_headers: {
    to: true,
    entry: { env: { API_TOKEN: SECRET } },
    see: async ({ rest }) => JSON.stringify((await rest("GET", "/servers/up")).body).includes(SECRET),
    before: false,
    after: true,
  },
  read_only_mode: {
    to: true,
    see: async ({ rest }) => (await rest("PATCH", "/servers/up", { reconnect_on_use: true })).status,
    before: 200,
    after: 403,
  },
  disable_management: {
    to: true,
    see: async ({ ask }) => names(await ask("tools/list")).includes("upstream_servers"),
    before: true,
    after: false,
  },
  allow_server_add: {
    to: false,
    see: async ({ tool }) =>
      textOf(await tool("upstream_servers", { operation: "add", name: "up", command: "x" })).includes(
        "allow_server_add",
      ),
    before: false,
    after: true,
  },
  allow_server_remove: {
    to: false,
    see: async ({ tool }) =>
      textOf(await tool("upstream_servers", { operation: "remove", name: "none" })).includes("allow_server_remove"),
    before: false,
    after: true,
  },
  quarantine_enabled: {
    to: false,
    entry: { quarantined: undefined, trust_mode: "manual" },
    see: ({ call }) => call("echo"),
    before: 403,
    after: 200,
  },
  tool_response_mode: {
    to: "compact",
    see: async ({ tool }) => "sig" in jsonOf(await tool("retrieve_tools", { query: "echo" })).tools[0],
    before: false,
    after: true,
  },
  direct_tool_response_mode: {
    to: "deferred",
    see: async ({ ask }) => names(await ask("tools/list", "/mcp/all")).includes("describe_tool"),
    before: false,
    after: true,
  },
  instructions: {
    to: "Ask first.",
    see: async ({ post }) => (await post(INITIALIZE)).body.result.instructions === "Ask first.",
    before: false,
    after: true,
  },
  expose: { heldBy: "test/lib/core/mcp/apps.test.ts" },
  tools_limit: {
    to: 1,
    see: async ({ tool }) => jsonOf(await tool("retrieve_tools", { query: "note" })).tools.length > 1,
    before: true,
    after: false,
  },
  tool_response_limit: {
    to: 5,
    see: async ({ tool }) =>
      textOf(await tool("call_tool_read", { name: "up:echo", args: { a: 1 }, intent: { operation_type: "read" } })),
    before: '{"a":1}',
    after: '{"a":',
  },
  oauth_expiry_warning_hours: {
    to: 100,
    see: ({ app }) => {
      const expiresAt = app.clock.now() + 50 * 3_600_000;
      const obtainedAt = expiresAt - 1000 * 3_600_000;
      const status = () => ({ state: "signed_in" as const, obtainedAt, expiresAt, renewable: false });
      return serverRecord(
        replacePart(app, upstreamCredentials, { ...app.part(upstreamCredentials), status }),
        "up",
        INTERNAL_CALLER,
      ).health.level;
    },
    before: "healthy",
    after: "degraded",
  },
  oauth_client_metadata_url: {
    to: "https://example.com/client.json",
    see: async ({ app }) => {
      const name = { server: "up", correlationId: "", details: diagnostics("https://up.example/mcp") };
      return (
        (await settingsOf(app, { name: "up", enabled: true, url: "https://up.example/mcp" }, name)).clientMetadataUrl ??
        null
      );
    },
    before: null,
    after: "https://example.com/client.json",
  },
  call_tool_timeout: { to: "50ms", see: ({ call }) => call("slow", { ms: 400 }), before: 200, after: 504 },
  validate_arguments: { to: "enforce", see: ({ call }) => call("echo", { message: 1 }), before: 200, after: 400 },
  max_request_memory_mb: {
    given: { max_request_memory_mb: 0 },
    to: 1,
    see: ({ call }) => call("echo", { message: "x".repeat(3_000_000) }),
    before: 200,
    after: 503,
  },
  max_concurrent_requests: { given: { queue_size: 0 }, to: 1, see: both, before: [200, 200], after: [200, 429] },
  queue_size: { given: { max_concurrent_requests: 1 }, to: 5, see: both, before: [200, 429], after: [200, 200] },
  queue_timeout: {
    given: { max_concurrent_requests: 1, queue_size: 5 },
    to: "20ms",
    see: both,
    before: [200, 200],
    after: [200, 429],
  },
  server_concurrency_defaults: {
    to: { max_concurrent_requests: 1, queue_size: 0 },
    see: both,
    before: [200, 200],
    after: [200, 429],
  },
  health_check_interval: {
    given: { health_check_interval: "0" },
    to: "5s",
    byHand: true,
    see: async (world) => {
      await world.clock.advance(20_000);
      return (await stats(world)).pings > 0;
    },
    before: false,
    after: true,
  },
  tool_discovery_interval: {
    given: { tool_discovery_interval: "24h" },
    to: "30s",
    byHand: true,
    flags: ["--no-list-changed"],
    see: async (world) => {
      const { lists } = await stats(world);
      await world.clock.advance(31_000);
      return (await stats(world)).lists > lists;
    },
    before: false,
    after: true,
  },
  init_timeout: {
    to: "1s",
    flags: ["--init-delay", "1500"],
    see: ({ app }) =>
      app.upstreams
        .get("up")!
        .restart("a test")
        .then(
          () => "ready",
          () => "too late",
        ),
    before: "ready",
    after: "too late",
  },
  intent_declaration: {
    to: { strict_server_validation: false },
    see: async ({ tool }) =>
      "isError" in
      (await tool("call_tool_read", { name: "up:delete_note", args: {}, intent: { operation_type: "read" } })),
    before: true,
    after: false,
  },
  enable_code_execution: { to: false, see: async ({ run }) => (await run("1")).ok, before: true, after: false },
  code_execution_timeout_ms: {
    to: 100,
    see: async ({ run }) => (await run("const end = Date.now() + 500; while (Date.now() < end); 1")).ok,
    before: true,
    after: false,
  },
  code_execution_max_tool_calls: {
    to: 1,
    see: async ({ run }) => codes(await run("[1, 2].map(() => call_tool('up', 'echo', {}))")),
    before: ["ok", "ok"],
    after: ["MAX_TOOL_CALLS_EXCEEDED", "ok"],
  },
  code_execution_queue_timeout_ms: {
    given: { code_execution_pool_size: 1 },
    to: 0,
    see: async ({ run }) => {
      const code = "const end = Date.now() + 300; while (Date.now() < end); 1";
      return (await Promise.all([run(code), run(code)])).map(({ ok }) => ok);
    },
    before: [true, true],
    after: [true, false],
  },
  code_execution_ceilings: {
    to: { timeout_ms: 1000 },
    see: async ({ run }) => (await run("1", { timeout_ms: 5000 })).ok,
    before: true,
    after: false,
  },
  code_execution_max_parallel: {
    given: { max_concurrent_requests: 1, queue_size: 0 },
    to: 1,
    see: async ({ run }) => {
      const call = "{ server: 'up', tool: 'slow', args: { ms: 150 } }";
      return codes(await run(`call_tools([${call}, ${call}])`));
    },
    before: ["ok", "queue_full"],
    after: ["ok", "ok"],
  },
  activity_retention_days: {
    to: 1,
    prepare: async ({ app, call }) => {
      // A record of now says that the clock is right.
      await call("echo");
      await addOld(app, "old-1");
    },
    see: ({ app }) => old(app),
    before: 1,
    after: 0,
  },
  activity_max_records: {
    to: 3,
    prepare: ({ app }) => Promise.all(Array.from({ length: 20 }, (_, i) => addOld(app, `old-${i}`))),
    see: async ({ app }) => (await app.store.activity.select({}, { limit: 1 })).total > 10,
    before: true,
    after: false,
  },
  activity_max_response_size: {
    to: 10,
    see: async ({ call, record }) => {
      await call("big", { kb: 1 });
      return (await record())?.response_truncated;
    },
    before: false,
    after: true,
  },
  activity_max_size_mb: {
    to: 1,
    prepare: ({ app }) =>
      Promise.all(Array.from({ length: 60 }, (_, i) => addOld(app, `old-${i}`, "x".repeat(60_000)))),
    see: async ({ app }) => (await old(app)) === 60,
    before: true,
    after: false,
  },
  activity_cleanup_interval_min: {
    given: { activity_retention_days: 1, activity_cleanup_interval_min: 600 },
    to: 1,
    byHand: true,
    prepare: ({ clock }) => clock.advance(120_000),
    see: async ({ app, clock }) => {
      await addOld(app, `old-${clock.now()}`);
      await clock.advance(90_000);
      await new Promise((done) => setTimeout(done, 200));
      return old(app);
    },
    before: 1,
    after: 0,
  },
  environment: {
    to: { custom_vars: { HOT: "1" } },
    see: async ({ app }) => {
      const upstream = app.upstreams.get("up")!;
      await upstream.ensureReady(60_000).catch(() => undefined);
      const asked = { name: "environment", arguments: {} };
      const reply = await upstream.request("tools/call", asked, { timeoutMs: 60_000 }).catch(() => undefined);
      return reply === undefined ? undefined : jsonOf(reply.result as object).env.HOT === "1";
    },
    before: false,
    after: true,
  },
  logging: {
    to: { level: "debug" },
    see: async ({ app }) => {
      const mark = randomUUID();
      app.log.debug(`detail ${mark}`);
      app.log.warn(`always ${mark}`);
      const file = join(app.dir, "logs", "proxy.log");
      const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
      await until("the log file", () => text().includes(`always ${mark}`));
      return text().includes(`detail ${mark}`);
    },
    before: false,
    after: true,
  },
  profiles: {
    to: [{ name: "home", servers: ["up"] }],
    see: async ({ post }) => (await post(INITIALIZE, { path: "/mcp/p/home" })).status,
    before: 404,
    after: 200,
  },
  docker_isolation: {
    to: { enabled: true },
    see: ({ app }) => app.part(serverIsolation).plan(app.config.server("up")!).how,
    before: "plain",
    after: "container",
  },
  sensitive_data_detection: {
    to: { enabled: false },
    see: async ({ call, record }) => {
      await call("echo", { text: SECRET });
      return (await record())?.detection_types !== undefined;
    },
    before: true,
    after: false,
  },
  output_sanitisation: {
    to: { response_action: "redact" },
    see: async ({ tool }) => {
      const args = { name: "up:echo", args: { text: SECRET }, intent: { operation_type: "read" } };
      return textOf(await tool("call_tool_read", args)).includes(SECRET);
    },
    before: true,
    after: false,
  },
  registries: {
    to: [{ id: "mine", servers_url: "https://registry.test/servers" }],
    see: async ({ rest }) =>
      (await rest("GET", "/registries")).body.data.registries.some(({ id }: Answer) => id === "mine"),
    before: false,
    after: true,
  },
  registries_locked: {
    to: true,
    see: async ({ rest }) => (await rest("DELETE", "/registries/none")).body.code,
    before: "registry_not_found",
    after: "registries_locked",
  },
  allow_private_registry_fetch: {
    to: true,
    given: { registries: [{ id: "mine", servers_url: "http://127.0.0.1:9/servers" }] },
    see: async ({ rest }) =>
      JSON.stringify((await rest("GET", "/registries/mine/servers")).body).includes("allow_private_registry_fetch"),
    before: true,
    after: false,
  },
  lock: { to: { enforce: true }, see: ({ call }) => call("echo"), before: 200, after: 403 },
  security: {
    to: { disabled_scanners: ["source-patterns"] },
    see: async ({ rest }) => {
      const { scanners } = (await rest("GET", "/security/scanners")).body.data;
      return scanners.find(({ id }: Answer) => id === "source-patterns").enabled;
    },
    before: true,
    after: false,
  },
  update_check: {
    to: undefined,
    byHand: true,
    // The first look, soon after the start, finds no source.
    prepare: ({ clock }) => clock.advance(60_000),
    see: ({ app }) => app.part(updates).latest() !== null,
    before: false,
    after: true,
  },
  notifications: { heldBy: "test/lib/modules/notifications/notifications.test.ts" },
  sinks: { heldBy: "test/lib/modules/sinks/sinks.test.ts" },
  metrics: { heldBy: "test/lib/modules/metrics/metrics.test.ts" },
  otlp: { heldBy: "test/lib/modules/otlp/traces.test.ts" },
  server_edition: { heldBy: "test/lib/modules/team/access.test.ts" },
  mcpServers: {
    to: [{ name: "another", command: "true", enabled: false }],
    see: ({ app }) => app.upstreams.get("another") !== undefined,
    before: false,
    after: true,
  },
};

const names = (list: { [member: string]: unknown }) => (list.tools as { name: string }[]).map(({ name }) => name);

test("every key that is called hot is in this table", () => {
  const hot = configKeys()
    .filter(({ facts }) => facts.reload === "hot")
    .map(({ key }) => key);
  assert.deepEqual(Object.keys(ROWS).sort(), [...hot].sort());
});

for (const [key, row] of Object.entries(ROWS))
  test(`${key} takes effect at once`, async (t) => {
    if ("heldBy" in row) {
      assert.match(readFileSync(row.heldBy, "utf8"), new RegExp(`${key}[^]*config\\.update|config\\.update[^]*${key}`));
      return;
    }
    const world = await worldOf(t, row);
    await row.prepare?.(world);
    assert.deepEqual(await row.see(world), row.before);

    await world.app.config.update((draft) => {
      Object.assign(draft, { [key]: key === "update_check" ? releases(world) : row.to });
    }, "test");

    assert.deepEqual(world.app.config.pendingRestart(), []);
    let seen: unknown;
    await until(`${key} is in force; last seen: ${JSON.stringify(seen)}`, async () => {
      seen = await row.see(world);
      return isDeepStrictEqual(seen, row.after);
    });
  });

test("security.integrity_check_interval takes effect at once", async (t) => {
  const clock = handClock();
  const appointed: number[] = [];
  const after: HandClock["after"] = (ms, work) => {
    appointed.push(ms);
    return clock.after(ms, work);
  };
  const { app } = await serve(t, { clock: { ...clock, after } });
  appointed.length = 0;

  await app.config.update((draft) => {
    draft.security = { ...draft.security, integrity_check_interval: "7m" };
  }, "test");

  assert.deepEqual(
    appointed.filter((ms) => ms === 420_000),
    [420_000],
  );
});

/** A list of releases, as a file. */
function releases({ app }: World): object {
  const source = join(app.dir, "releases.json");
  writeFileSync(
    source,
    JSON.stringify([{ tag_name: "v9.9.9", prerelease: false, draft: false, html_url: "https://x.test" }]),
  );
  return { source };
}

async function worldOf(t: TestContext, { given = {}, flags = [], entry = {}, byHand }: Row): Promise<World> {
  const clock = handClock(Date.now());
  const servers = [{ ...program("up", ...flags), ...entry }];
  const served = await serve(t, { servers, connect: true, config: given, ...(byHand && { clock }) });
  const { app, url, key, post } = served;
  const rest: World["rest"] = async (method, path, body) => {
    const headers = { "content-type": "application/json", "x-api-key": key };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    ...served,
    clock,
    rest,
    call: async (tool, args = {}) =>
      (await rest("POST", "/tools/call", { tool_name: `up:${tool}`, arguments: args })).status,
    tool: async (name, args, path) => (await post(toolCall(name, args), { ...(path && { path }) })).body.result,
    ask: async (method, path) =>
      (await post({ jsonrpc: "2.0", id: 1, method, params: {} }, { ...(path && { path }) })).body.result,
    run: async (code, options = {}) => (await rest("POST", "/code/exec", { code, options })).body,
    record: async () => (await app.store.activity.select({ type: ["tool_call"] }, { limit: 1 })).records[0],
  };
}
