import assert from "node:assert/strict";
import { mounts } from "#handlers/mcp.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import { type Entrance, send, type Tier } from "#test/kit/access.ts";
import type { TestApp } from "#test/kit/app.ts";
import { INITIALIZE, toolCall } from "#test/kit/mcp.ts";
import { PAGE } from "#test/kit/panel-session.ts";

/** The recorded matrix. */
export const MATRIX_FILE = "test/access/matrix.txt";

/** Who asks, and where. */
export interface MatrixWorld {
  /** Changes settings. */
  readonly app: Pick<TestApp, "config">;
  /** Where requests are sent. */
  readonly at: Entrance;
  readonly tiers: readonly Tier[];
  /** Waits until a changed setting is in force wherever requests are sent. */
  settled?(): Promise<void>;
}

const AGENTS = ["full", "write", "read", "scoped", "pinned"];
const OUTSIDERS = ["wrong", "revoked", "expired"];
const OUT_OF_REACH = ["scoped", "pinned"];

/** The text of the file with the rows of all parts, which are in this order: routes, endpoints, calls, shown, managed. */
export function matrixText(tiers: readonly Tier[], parts: readonly (readonly string[])[]): string {
  return `${[["", ...tiers.map((t) => t.name)].join(" | "), ...parts.flat()].join("\n")}\n`;
}

/** Makes rows. */
function table(tiers: readonly Tier[]) {
  const rows: string[] = [];
  const cells = async (what: string, cell: (tier: Tier) => Promise<string>): Promise<Record<string, string>> => {
    const found: [string, string][] = [];
    for (const tier of tiers) found.push([tier.name, await cell(tier)]);
    rows.push([what, ...found.map(([, text]) => text)].join(" | "));
    return Object.fromEntries(found);
  };
  return { rows, cells };
}

/** Every REST route admits whom its declared access admits, and nobody else. Some requests change something. */
export async function routeRows({ at, tiers }: MatrixWorld): Promise<string[]> {
  const { rows, cells } = table(tiers);
  for (const { route, spec } of endpoints) {
    const path = route.replace(/\{\w+\}/g, "none");
    const texts: Record<string, string> = {};
    const got = await cells(route, async (tier) => {
      // No endpoint takes a list, so that whoever gets in is refused there where something would be changed.
      const { status, text } = await send(at, tier, path, route.startsWith("GET") ? undefined : [], {
        ...(route.includes(" /ui/") && PAGE),
      });
      texts[tier.name] = text;
      return status === 401 || status === 403 ? String(status) : "in";
    });
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
  return rows;
}

/** Other paths of the same endpoints. */
const ALIASES = ["/all/mcp", "/call/mcp", "/code/mcp", "/p/{profile}/mcp", "/p/{profile}/all/mcp"];

/** MCP endpoints admit agent tokens, the key and the socket, and nobody else where a credential is required. */
export async function endpointRows({ app, at, tiers, settled }: MatrixWorld): Promise<string[]> {
  const { rows, cells } = table(tiers);
  for (const require_mcp_auth of [false, true]) {
    await app.config.update((draft) => {
      draft.require_mcp_auth = require_mcp_auth;
    }, "test");
    await settled?.();
    for (const path of [...mounts.map((mount) => mount.path), ...ALIASES]) {
      const mount = path.replace("{profile}", "front");
      const what = `${path}${require_mcp_auth ? " with require_mcp_auth" : ""}`;
      const got = await cells(what, async (tier) => String((await send(at, tier, `POST ${mount}`, INITIALIZE)).status));
      for (const name of OUTSIDERS) assert.equal(got[name], "401", `${what} ${name}`);
      assert.equal(got.nobody, require_mcp_auth ? "401" : "200", what);
      for (const name of ["admin", "socket", ...AGENTS]) assert.equal(got[name], "200", `${what} ${name}`);
    }
  }
  await app.config.update((draft) => {
    draft.require_mcp_auth = false;
  }, "test");
  await settled?.();
  return rows;
}

/** What became of a `tools/call`: `ok`, the fault's code, or the protocol error's. */
function outcome({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return String(status);
  const { result, error } = JSON.parse(text);
  if (error) return String(error.code);
  if (result._meta?.["proxy/code"]) return result._meta["proxy/code"];
  return result.isError ? "error" : "ok";
}

const intent = (variant: string) => ({ intent: { operation_type: variant.slice("call_tool_".length) } });
const mcp = (at: Entrance, path: string, name: string, args: object) => async (tier: Tier) =>
  outcome(await send(at, tier, `POST ${path}`, toolCall(name, args)));

/** A tool is called by whoever reaches its server and has its permission, on every path alike. */
export async function callRows({ at, tiers }: MatrixWorld): Promise<string[]> {
  const { rows, cells } = table(tiers);
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
        [variant, mcp(at, "/mcp/call", variant, { name: id, args: {}, ...intent(variant) })],
      ];
      if (!mild)
        ways.push(
          ["direct", mcp(at, "/mcp/all", `${server}__${tool}`, {})],
          ["code", async (tier) => script(await send(at, tier, "POST /mcp/code", inCode(server, tool)))],
          ["rest", async (tier) => rest(await send(at, tier, "POST /api/v1/tools/call", { tool_name: id }))],
        );
      for (const [way, cell] of ways) {
        const got = await cells(`${way} ${id}`, cell);
        const inside = (name: string) => !without.includes(name) && !(server === "beta" && OUT_OF_REACH.includes(name));
        for (const name of ["admin", "socket", ...AGENTS])
          assert.equal(got[name] === "ok", inside(name), `${way} ${id} ${name}: ${got[name]}`);
        for (const name of OUTSIDERS) assert.equal(got[name], "401", `${way} ${id} ${name}`);
      }
    }
  return rows;
}

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

/** What is shown of two servers to whom. */
export async function shownRows({ at, tiers }: MatrixWorld): Promise<string[]> {
  const { rows, cells } = table(tiers);
  const has = (text: string) => ["alpha", "beta"].filter((name) => text.includes(name)).join("+") || "none";
  const shown = (path: string, message: object) => async (tier: Tier) => {
    const { status, text } = await send(at, tier, `POST ${path}`, message);
    return status === 200 ? has(text) : String(status);
  };
  const read = (path: string) => async (tier: Tier) => {
    const { status, text } = await send(at, tier, `GET ${path}`);
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
      async (tier) => shownBy(await send(at, tier, "POST /mcp/call", toolCall("describe_tool", { ids }))),
    ],
    ["GET /api/v1/servers", read("/api/v1/servers")],
    ["GET /api/v1/status", read("/api/v1/status")],
    ["GET /api/v1/tools", read("/api/v1/tools")],
    ["GET /api/v1/index/search", read("/api/v1/index/search?q=echo")],
    ["GET /api/v1/activity", read("/api/v1/activity?type=tool_call&limit=100")],
    [
      "stored script",
      async (tier) => values(await send(at, tier, "POST /mcp/code", toolCall("code_execution", { script: "both" }))),
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
  return rows;
}

/** The servers of which a definition is given. */
function shownBy({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return String(status);
  const { definitions } = JSON.parse(JSON.parse(text).result.content[0].text);
  return definitions.map((d: { server: string }) => d.server).join("+") || "none";
}

function values({ status, text }: { status: number; text: string }): string {
  return status === 200 ? JSON.parse(JSON.parse(text).result.content[0].text).value : String(status);
}

/** Who may manage servers over MCP. */
export async function managementRows({ at, tiers }: MatrixWorld): Promise<string[]> {
  const { rows, cells } = table(tiers);
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
      mcp(at, "/mcp/call", "upstream_servers", { operation, name: "no such: name", ...input }),
    );
    for (const name of AGENTS)
      assert.equal(got[name], operation === "tail_log" ? "server_not_found" : "admin_required", `${operation} ${name}`);
  }
  return rows;
}
