import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { mounts } from "#handlers/mcp.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import { everybody, send, storeScript, type Tier, WORLD } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { INITIALIZE, ready, toolCall } from "#test/kit/mcp.ts";
import { PAGE } from "#test/kit/panel-session.ts";
import { verifies } from "#test/kit/verifies.ts";

/**
 * Who gets in where: every REST route, MCP endpoint and tool for every kind of caller, with real credentials against
 * the real router. The answers are a file under review, `matrix.txt`; `UPDATE=1 npm test -- test/access/matrix` writes
 * it anew. What no review may let through is asserted on its own below.
 */
const FILE = "test/access/matrix.txt";

/** The gated routes by name (spec 000 §5 rule 4). Those that do not exist yet are gated the day they do. */
const GATED = [
  "POST /api/v1/servers",
  "DELETE /api/v1/servers/{name}",
  "PATCH /api/v1/servers/{name}",
  "POST /api/v1/servers/{name}/enable",
  "POST /api/v1/servers/{name}/disable",
  "POST /api/v1/servers/{name}/restart",
  "POST /api/v1/servers/reconnect",
  "POST /api/v1/servers/{name}/quarantine",
  "POST /api/v1/servers/{name}/unquarantine",
  "POST /api/v1/servers/{name}/login",
  "POST /api/v1/servers/{name}/logout",
  "POST /api/v1/servers/{name}/config-to-secret",
  "POST /api/v1/servers/{name}/discover-tools",
  "POST /api/v1/servers/{name}/refresh",
  "POST /api/v1/servers/{name}/items/approve",
  "POST /api/v1/servers/{name}/items/block",
  "POST /api/v1/servers/{name}/tools/approve",
  "POST /api/v1/servers/{name}/tools/block",
  "POST /api/v1/servers/{name}/tools/{tool}/enabled",
  "POST /api/v1/servers/enable_all",
  "POST /api/v1/servers/disable_all",
  "POST /api/v1/servers/restart_all",
  "POST /api/v1/servers/{name}/scan",
  "POST /api/v1/servers/{name}/scan/cancel",
  "POST /api/v1/servers/{name}/security/approve",
  "POST /api/v1/servers/{name}/security/reject",
  "POST /api/v1/config/apply",
  "PATCH /api/v1/config",
  "PATCH /api/v1/config/container-isolation",
  "POST /api/v1/registries",
  "PUT /api/v1/registries/{id}",
  "DELETE /api/v1/registries/{id}",
  "POST /api/v1/registries/{id}/servers/{serverId}/add",
];

let app: TestApp;
let tiers: Tier[];
let closeListener: () => Promise<void>;

before(async () => {
  app = await testApp(WORLD);
  closeListener = (await listenTest(app)).close;
  storeScript(app, "both", `[call_tool("alpha", "echo", {}).ok, call_tool("beta", "echo", {}).ok].join()`);
  for (const server of ["alpha", "beta"]) await ready(app, server);
  tiers = await everybody(app);
});
after(async () => {
  await closeListener();
  await app.close();
});

const AGENTS = ["full", "write", "read", "scoped", "pinned"];
const OUTSIDERS = ["wrong", "revoked", "expired"];

/** A row of the matrix: what each tier gets, in the order of the tiers. */
const rows: string[] = [];
const cells = async (
  what: string,
  cell: (tier: Tier) => Promise<string>,
  asking: readonly Tier[] = tiers,
): Promise<Record<string, string>> => {
  const found: [string, string][] = [];
  for (const tier of asking) found.push([tier.name, await cell(tier)]);
  rows.push([what, ...found.map(([, text]) => text)].join(" | "));
  return Object.fromEntries(found);
};

verifies(
  ["rest.auth.gate-text", "rest.auth.every-route", "rest.auth.401", "rest.auth.probes", "rest.auth.socket"],
  "every REST route admits whom its declared access admits, and nobody else",
  async () => {
    // An app of its own: some of these would change what the other rows ask about.
    const app = await testApp({ ...WORLD, connect: false });
    const { close } = await listenTest(app);
    const asking = await everybody(app);
    try {
      for (const { route, spec } of endpoints) {
        const path = route.replace(/\{\w+\}/g, "none");
        const texts: Record<string, string> = {};
        const got = await cells(
          route,
          async (tier) => {
            // No endpoint takes a list, so that whoever gets in is refused there where something would be changed.
            const { status, text } = await send(app, tier, path, route.startsWith("GET") ? undefined : [], {
              ...(route.includes(" /ui/") && PAGE),
            });
            texts[tier.name] = text;
            return status === 401 || status === 403 ? String(status) : "in";
          },
          asking,
        );
        const { access = "admin" } = spec;
        const scripts = route.startsWith("GET /api/v1/code/scripts");
        for (const name of [...OUTSIDERS, "nobody"])
          assert.equal(got[name], access === "open" ? "in" : "401", `${route} ${name}`);
        for (const name of AGENTS) {
          const shut = access === "admin" || access === "user" || access === "person" || scripts;
          assert.equal(got[name], shut ? "403" : "in", `${route} ${name}`);
          if (access === "admin") assert.equal(JSON.parse(texts[name]!).error, "operation requires admin access");
        }
        assert.equal(got.socket, got.admin, route);
        // A key is nobody in particular; who is signed in is asked in team-matrix.test.ts.
        if (access === "user" || access === "person") assert.equal(got.admin, "403", route);
      }
    } finally {
      await close();
      await app.close();
    }
  },
);

verifies(
  [
    "rest.auth.gate-servers",
    "rest.auth.gate-tools",
    "rest.auth.gate-bulk",
    "rest.auth.gate-scanner",
    "rest.auth.gate-config",
    "rest.auth.gate-registries",
    "rest.auth.scripts",
  ],
  "every gated route that exists declares administrators, and so does every route that changes anything",
  () => {
    const access = new Map(endpoints.map((e) => [e.route as string, e.spec.access ?? "admin"]));
    for (const route of GATED) if (access.has(route)) assert.equal(access.get(route), "admin", route);
    const changing = endpoints
      .filter((e) => e.method !== "GET" && !["admin", "user", "person"].includes(e.spec.access ?? "admin"))
      .map((e) => e.route);
    for (const route of changing) assert.ok(ASKING.includes(route), `${route} is no GET and not for administrators`);
  },
);

/** What an agent may send that is no GET: it calls tools under its own rights, or asks and changes nothing. */
const ASKING: readonly string[] = [
  "POST /api/v1/code/exec",
  "POST /api/v1/config/validate",
  "POST /api/v1/preflight",
  "POST /api/v1/tools/call",
  // Whoever shows the key signs in with it, and out.
  "POST /ui/session",
  "DELETE /ui/session",
  // Whoever has a passkey signs this.
  "POST /ui/session/challenge",
  // An MCP client proves itself by a code or a token; a registration gives no rights.
  "POST /oauth/register",
  "POST /oauth/revoke",
  "POST /oauth/token",
];

/** Other paths of the same endpoints. */
const ALIASES = ["/all/mcp", "/call/mcp", "/code/mcp", "/p/{profile}/mcp", "/p/{profile}/all/mcp"];

verifies(
  ["mcp.auth.accepted", "mcp.auth.open", "mcp.auth.required"],
  "every MCP endpoint admits agent tokens, the key and the socket, and nobody else where a credential is required",
  async () => {
    for (const require_mcp_auth of [false, true]) {
      await app.config.update((draft) => {
        draft.require_mcp_auth = require_mcp_auth;
      }, "test");
      for (const path of [...mounts.map((mount) => mount.path), ...ALIASES]) {
        const at = path.replace("{profile}", "front");
        const what = `${path}${require_mcp_auth ? " with require_mcp_auth" : ""}`;
        const got = await cells(what, async (tier) => String((await send(app, tier, `POST ${at}`, INITIALIZE)).status));
        for (const name of OUTSIDERS) assert.equal(got[name], "401", `${what} ${name}`);
        assert.equal(got.nobody, require_mcp_auth ? "401" : "200", what);
        for (const name of ["admin", "socket", ...AGENTS]) assert.equal(got[name], "200", `${what} ${name}`);
      }
    }
    await app.config.update((draft) => {
      draft.require_mcp_auth = false;
    }, "test");
  },
);

/** What became of a `tools/call`: `ok`, the fault's code, or the protocol error's. */
function outcome({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return String(status);
  const { result, error } = JSON.parse(text);
  if (error) return String(error.code);
  if (result._meta?.["proxy/code"]) return result._meta["proxy/code"];
  return result.isError ? "error" : "ok";
}

const intent = (variant: string) => ({ intent: { operation_type: variant.slice("call_tool_".length) } });
const mcp = (path: string, name: string, args: object) => async (tier: Tier) =>
  outcome(await send(app, tier, `POST ${path}`, toolCall(name, args)));

const OUT_OF_REACH = ["scoped", "pinned"];

verifies(
  ["rest.auth.token-scope", "mcp.call.read-rejects", "mcp.call.destructive-allows"],
  "a tool is called by whoever reaches its server and has its permission, on every path alike",
  async () => {
    const tools: [tool: string, variant: string, without: string[]][] = [
      ["echo", "call_tool_read", []],
      ["write_note", "call_tool_write", ["read"]],
      ["delete_note", "call_tool_destructive", ["read", "write"]],
      // MCP's defaults: what says nothing writes and destroys.
      ["bare", "call_tool_write", ["read", "write"]],
      // A mild variant is no way around a scope.
      ["bare", "call_tool_read", ["read", "write"]],
      ["write_note", "call_tool_read", ["read"]],
      ["delete_note", "call_tool_read", AGENTS.concat("admin", "socket", "nobody")],
    ];
    for (const server of ["alpha", "beta"])
      for (const [tool, variant, without] of tools) {
        const id = `${server}:${tool}`;
        const mild = variant === "call_tool_read" && tool !== "echo";
        const ways: [string, (tier: Tier) => Promise<string>][] = [
          [variant, mcp("/mcp/call", variant, { name: id, args: {}, ...intent(variant) })],
        ];
        if (!mild)
          ways.push(
            ["direct", mcp("/mcp/all", `${server}__${tool}`, {})],
            ["code", async (tier) => script(await send(app, tier, "POST /mcp/code", inCode(server, tool)))],
            ["rest", async (tier) => rest(await send(app, tier, "POST /api/v1/tools/call", { tool_name: id }))],
          );
        for (const [way, cell] of ways) {
          const got = await cells(`${way} ${id}`, cell);
          const inside = (name: string) =>
            !without.includes(name) && !(server === "beta" && OUT_OF_REACH.includes(name));
          for (const name of ["admin", "socket", ...AGENTS])
            assert.equal(got[name] === "ok", inside(name), `${way} ${id} ${name}: ${got[name]}`);
          for (const name of OUTSIDERS) assert.equal(got[name], "401", `${way} ${id} ${name}`);
        }
      }
  },
);

const inCode = (server: string, tool: string) =>
  toolCall("code_execution", { code: `JSON.stringify(call_tool("${server}", "${tool}", {}))` });

/** The outcome of the one call of a script. */
function script({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return String(status);
  const { value } = JSON.parse(JSON.parse(text).result.content[0].text);
  const { ok, error } = JSON.parse(value);
  return ok ? "ok" : error.code;
}

function rest({ status, text }: { status: number; text: string }): string {
  return status === 200 ? "ok" : status === 401 ? "401" : JSON.parse(text).code;
}

test("what is shown of two servers to whom", async () => {
  const has = (text: string) => ["alpha", "beta"].filter((name) => text.includes(name)).join("+") || "none";
  const shown = (path: string, message: object) => async (tier: Tier) => {
    const { status, text } = await send(app, tier, `POST ${path}`, message);
    return status === 200 ? has(text) : String(status);
  };
  const read = (path: string) => async (tier: Tier) => {
    const { status, text } = await send(app, tier, `GET ${path}`);
    return status === 200 ? has(text) : String(status);
  };
  const ids = ["alpha", "beta"].map((server) => `${server}:echo`);
  const ways: [string, (tier: Tier) => Promise<string>][] = [
    ["retrieve_tools", shown("/mcp/call", toolCall("retrieve_tools", { query: "echo" }))],
    ["retrieve_tools in /mcp/p/front", shown("/mcp/p/front", toolCall("retrieve_tools", { query: "echo" }))],
    ["tools/list of direct mode", shown("/mcp/all", { jsonrpc: "2.0", id: 1, method: "tools/list" })],
    ["tools/list of /mcp/p/back/all", shown("/mcp/p/back/all", { jsonrpc: "2.0", id: 1, method: "tools/list" })],
    ["upstream_servers list", shown("/mcp/call", toolCall("upstream_servers", { operation: "list" }))],
    [
      "describe_tool",
      async (tier) => shownBy(await send(app, tier, "POST /mcp/call", toolCall("describe_tool", { ids }))),
    ],
    ["GET /api/v1/servers", read("/api/v1/servers")],
    ["GET /api/v1/status", read("/api/v1/status")],
    ["GET /api/v1/tools", read("/api/v1/tools")],
    ["GET /api/v1/index/search", read("/api/v1/index/search?q=echo")],
    ["GET /api/v1/activity", read("/api/v1/activity?type=tool_call&limit=100")],
    [
      "stored script",
      async (tier) => values(await send(app, tier, "POST /mcp/code", toolCall("code_execution", { script: "both" }))),
    ],
  ];
  const back = "tools/list of /mcp/p/back/all";
  for (const [what, cell] of ways) {
    const got = await cells(what, cell);
    for (const name of OUT_OF_REACH)
      assert.ok(!/beta|true,true/.test(got[name]!), `${what} shows ${name} ${got[name]}`);
    for (const name of OUTSIDERS) assert.equal(got[name], "401", `${what} ${name}`);
    if (what === back)
      assert.deepEqual(
        OUT_OF_REACH.map((name) => got[name]),
        ["404", "403"],
      );
  }
});

/** The servers of which a definition is given. */
function shownBy({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return String(status);
  const { definitions } = JSON.parse(JSON.parse(text).result.content[0].text);
  return definitions.map((d: { server: string }) => d.server).join("+") || "none";
}

function values({ status, text }: { status: number; text: string }): string {
  return status === 200 ? JSON.parse(JSON.parse(text).result.content[0].text).value : String(status);
}

test("who may manage servers over MCP", async () => {
  const operations: [string, object][] = [
    ["add", { command: "true" }],
    ["remove", {}],
    ["update", { enabled: false }],
    ["patch", { enabled: false }],
    ["enable", {}],
    ["disable", {}],
    ["restart", {}],
    ["refresh", {}],
    ["tail_log", {}],
  ];
  for (const [operation, input] of operations) {
    const got = await cells(
      `upstream_servers ${operation}`,
      mcp("/mcp/call", "upstream_servers", { operation, name: "no such: name", ...input }),
    );
    for (const name of AGENTS)
      assert.equal(got[name], operation === "tail_log" ? "server_not_found" : "admin_required", `${operation} ${name}`);
  }
});

test("the matrix is what was reviewed; UPDATE=1 writes it anew", () => {
  const text = `${[["", ...tiers.map((t) => t.name)].join(" | "), ...rows].join("\n")}\n`;
  if (process.env.UPDATE) writeFileSync(FILE, text);
  assert.equal(
    text,
    readFileSync(FILE, "utf8"),
    "look at what changed, then run: UPDATE=1 npm test -- test/access/matrix",
  );
});
