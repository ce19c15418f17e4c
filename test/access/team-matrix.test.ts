import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { mounts } from "#handlers/mcp.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { send, storeScript, type Tier, WORLD } from "#test/kit/access.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { INITIALIZE, ready, toolCall } from "#test/kit/mcp.ts";
import { putUser } from "#test/kit/store.ts";
import { bearerOf, callerFor, editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";
import { verifies } from "#test/kit/verifies.ts";

/**
 * Who gets in where in the multi-user edition, beside `matrix.test.ts`: people with and without a grant, with a browser,
 * a bearer token and an agent token of their own. What a route's access means for them is asserted; what they reach and
 * are shown is the file. `UPDATE=1 npm test -- test/access/team-matrix` writes the file anew.
 */
const FILE = "test/access/team-matrix.txt";

const EDITION = {
  access: { group_servers: { dev: ["alpha"], lead: "*", gone: ["alpha", "beta"] }, default_servers: [] },
};

let app: TestApp;
let tiers: Tier[];
let close: () => Promise<void>;

async function world(connect: boolean): Promise<{ app: TestApp; tiers: Tier[]; close: () => Promise<void> }> {
  const config = { ...WORLD.config, server_edition: editionFor("https://id.example", EDITION) };
  const app = await testApp({ ...WORLD, config, connect });
  const listening = await listenTest(app);
  const tcp = (name: string, headers: Record<string, string>): Tier => ({ name, headers, listener: "tcp" });
  const dev = await person(app, { email: "dev@example.com", groups: ["dev"] });
  const lead = await person(app, { email: "lead@example.com", groups: ["lead"] });
  const none = await person(app, { email: "none@example.com", groups: ["other"] });
  const chief = await person(app, { email: "carol@example.com", admin: true });
  const off = await person(app, { email: "off@example.com", groups: ["lead"] });
  const offTiers = [
    tcp("off", await sessionOf(app, off)),
    tcp("off bearer", await bearerOf(app, off)),
    tcp("off token", await tokenOf(app, off)),
  ];
  await putUser(app.store.users, { ...off, disabledAt: app.clock.now() });
  return {
    app,
    tiers: [
      tcp("key", { "x-api-key": TEST_KEY }),
      tcp("chief", await sessionOf(app, chief)),
      tcp("chief bearer", await bearerOf(app, chief)),
      tcp("chief token", await tokenOf(app, chief)),
      tcp("lead", await sessionOf(app, lead)),
      tcp("lead token", await tokenOf(app, lead)),
      tcp("dev", await sessionOf(app, dev)),
      tcp("dev bearer", await bearerOf(app, dev)),
      tcp("dev token", await tokenOf(app, dev)),
      tcp("none", await sessionOf(app, none)),
      tcp("none token", await tokenOf(app, none)),
      ...offTiers,
      tcp("nobody", {}),
    ],
    close: async () => {
      await listening.close();
      await app.close();
    },
  };
}

before(async () => {
  ({ app, tiers, close } = await world(true));
  storeScript(app, "both", `[call_tool("alpha", "echo", {}).ok, call_tool("beta", "echo", {}).ok].join()`);
  for (const server of ["alpha", "beta"]) await ready(app, server);
});
after(() => close());

const OUT = ["off", "off bearer", "off token", "nobody"];
const TOKENS = ["chief token", "lead token", "dev token", "none token"];
const PEOPLE = ["lead", "dev", "dev bearer", "none"];
const CHIEFS = ["chief", "chief bearer"];

const rows: string[] = [];
const cells = async (what: string, cell: (tier: Tier) => Promise<string>) => {
  const found: [string, string][] = [];
  for (const tier of tiers) found.push([tier.name, await cell(tier)]);
  rows.push([what, ...found.map(([, text]) => text)].join(" | "));
  return Object.fromEntries(found) as Record<string, string>;
};

test("every REST route admits users as its declared access says, administrators among them as administrators", async () => {
  const { app, tiers: asking, close } = await world(false);
  try {
    for (const { route, spec, method } of endpoints) {
      // It would end what the other rows ask with; and the key's own sign-in looks at more than who asks.
      if (route === "POST /api/v1/auth/logout" || route.endsWith(" /ui/session")) continue;
      const path = route.replace(/\{\w+\}/g, "none");
      const got: Record<string, string> = {};
      for (const tier of asking) {
        const { status } = await send(app, tier, path, method === "GET" ? undefined : []);
        got[tier.name] = status === 401 || status === 403 ? String(status) : "in";
      }
      const { access = "admin" } = spec;
      const scripts = route.startsWith("GET /api/v1/code/scripts");
      for (const name of OUT) assert.equal(got[name], access === "open" ? "in" : "401", `${route} ${name}`);
      const inBrowser = (name: string) => access !== "person" || !name.endsWith(" bearer");
      for (const name of CHIEFS) assert.equal(got[name], inBrowser(name) ? "in" : "403", `${route} ${name}`);
      for (const name of PEOPLE)
        assert.equal(got[name], access === "admin" || scripts || !inBrowser(name) ? "403" : "in", `${route} ${name}`);
      for (const name of TOKENS)
        assert.equal(
          got[name],
          ["admin", "user", "person"].includes(access) || scripts ? "403" : "in",
          `${route} ${name}`,
        );
    }
  } finally {
    await close();
  }
});

verifies(
  ["mcp.auth.no-cookie", "mcp.auth.edition", "mcp.auth.accepted", "config.require-mcp-auth"],
  "MCP endpoints take agent tokens and the key; no cookie and no bearer token, an administrator's included",
  async () => {
    for (const { path } of mounts) {
      const at = path.replace("{profile}", "front");
      const got = await cells(path, async (tier) => String((await send(app, tier, `POST ${at}`, INITIALIZE)).status));
      for (const name of [...OUT, ...PEOPLE, ...CHIEFS]) assert.equal(got[name], "401", `${path} ${name}`);
      for (const name of ["key", "chief token", "lead token", "dev token"])
        assert.equal(got[name], "200", `${path} ${name}`);
    }
  },
);

/** Which of the two servers each reaches. */
const REACH: Record<string, readonly string[]> = {
  key: ["alpha", "beta"],
  chief: ["alpha", "beta"],
  "chief bearer": ["alpha", "beta"],
  "chief token": ["alpha", "beta"],
  lead: ["alpha", "beta"],
  "lead token": ["alpha", "beta"],
  dev: ["alpha"],
  "dev bearer": ["alpha"],
  "dev token": ["alpha"],
};
const reach = (name: string) => REACH[name] ?? [];

verifies(
  ["edition.group-servers", "edition.no-group"],
  "a tool is called by whoever is granted its server, on every path alike",
  async () => {
    const rest = async (tier: Tier, server: string) => {
      const { status, text } = await send(app, tier, "POST /api/v1/tools/call", { tool_name: `${server}:write_note` });
      return status === 200 ? "ok" : status === 401 ? "401" : JSON.parse(text).code;
    };
    const code = async (tier: Tier, server: string) => {
      const source = `JSON.stringify(call_tool("${server}", "write_note", {}))`;
      const { status, text } = await send(app, tier, "POST /api/v1/code/exec", { code: source });
      if (status !== 200) return String(status);
      const { ok, error } = JSON.parse(JSON.parse(text).value);
      return ok ? "ok" : error.code;
    };
    const mcp = (path: string, message: (server: string) => object) => async (tier: Tier, server: string) => {
      const { status, text } = await send(app, tier, `POST ${path}`, message(server));
      if (status !== 200) return String(status);
      const { result, error } = JSON.parse(text);
      return error ? String(error.code) : (result._meta?.["proxy/code"] ?? (result.isError ? "error" : "ok"));
    };
    const intent = { intent: { operation_type: "write" } };
    const ways: [string, (tier: Tier, server: string) => Promise<string>, boolean][] = [
      ["rest", rest, true],
      ["code over rest", code, true],
      [
        "call_tool_write",
        mcp("/mcp/call", (s) => toolCall("call_tool_write", { name: `${s}:write_note`, args: {}, ...intent })),
        false,
      ],
      ["direct", mcp("/mcp/all", (s) => toolCall(`${s}__write_note`, {})), false],
    ];
    for (const server of ["alpha", "beta"])
      for (const [way, ask, browsers] of ways) {
        const got = await cells(`${way} ${server}:write_note`, (tier) => ask(tier, server));
        for (const { name } of tiers) {
          const admitted = browsers || name === "key" || TOKENS.includes(name);
          assert.equal(got[name] === "ok", admitted && reach(name).includes(server), `${way} ${server} ${name}`);
          if (OUT.includes(name)) assert.equal(got[name], "401", `${way} ${name}`);
        }
      }
  },
);

test("what is shown of two servers to whom", async () => {
  for (const server of ["alpha", "beta"])
    for (const { email } of app.store.users.all().filter((user) => user.disabledAt === undefined)) {
      const user = app.store.users.all().find((one) => one.email === email)!;
      const by = { caller: callerFor(app, user), origin: { source: "api" as const, requestId: "r-seen" } };
      recordActivity(app, by, { type: "tool_call", server_name: server, tool_name: "echo", status: "success" });
    }
  const has = (text: string) => ["alpha", "beta"].filter((name) => text.includes(name)).join("+") || "none";
  const read = (path: string) => async (tier: Tier) => {
    const { status, text } = await send(app, tier, `GET ${path}`);
    return status === 200 ? has(text) : String(status);
  };
  const ways: [string, (tier: Tier) => Promise<string>][] = [
    ["GET /api/v1/servers", read("/api/v1/servers")],
    ["GET /api/v1/user/servers", read("/api/v1/user/servers")],
    ["GET /api/v1/user/diagnostics", read("/api/v1/user/diagnostics")],
    ["GET /api/v1/status", read("/api/v1/status")],
    ["GET /api/v1/tools", read("/api/v1/tools")],
    ["GET /api/v1/index/search", read("/api/v1/index/search?q=echo")],
    ["GET /api/v1/activity", read("/api/v1/activity?type=tool_call&limit=100")],
    ["GET /api/v1/activity/export", read("/api/v1/activity/export?type=tool_call")],
    ["GET /api/v1/activity/summary", read("/api/v1/activity/summary")],
    ["GET /api/v1/activity/usage", read("/api/v1/activity/usage")],
    ["GET /api/v1/config", read("/api/v1/config")],
    ["GET /api/v1/profiles", read("/api/v1/profiles")],
    [
      "POST /api/v1/preflight",
      async (tier) => {
        const tools = ["alpha", "beta"].map((server) => ({ id: `${server}:echo` }));
        const { status, text } = await send(app, tier, "POST /api/v1/preflight", { tools });
        if (status !== 200) return String(status);
        const seen = JSON.parse(text).data.tools.filter((tool: { reason?: string }) => tool.reason !== "not_found");
        return has(JSON.stringify(seen));
      },
    ],
    [
      "stored script",
      async (tier) => {
        const { status, text } = await send(app, tier, "POST /api/v1/code/exec", { script: "both" });
        return status === 200 ? String(JSON.parse(text).value) : String(status);
      },
    ],
    [
      "retrieve_tools",
      async (tier) => {
        const { status, text } = await send(app, tier, "POST /mcp/call", toolCall("retrieve_tools", { query: "echo" }));
        return status === 200 ? has(text) : String(status);
      },
    ],
  ];
  for (const [what, cell] of ways) {
    const got = await cells(what, cell);
    for (const { name } of tiers) {
      if (OUT.includes(name)) assert.equal(got[name], "401", `${what} ${name}`);
      if (!reach(name).includes("beta")) assert.ok(!/beta|true,true/.test(got[name]!), `${what} shows ${name} beta`);
      if (!reach(name).includes("alpha")) assert.ok(!/alpha|true/.test(got[name]!), `${what} shows ${name} alpha`);
    }
  }
});

test("the matrix is what was reviewed; UPDATE=1 writes it anew", () => {
  const text = `${[["", ...tiers.map((t) => t.name)].join(" | "), ...rows].join("\n")}\n`;
  if (process.env.UPDATE) writeFileSync(FILE, text);
  assert.equal(
    text,
    readFileSync(FILE, "utf8"),
    "look at what changed, then run: UPDATE=1 npm test -- test/access/team-matrix",
  );
});
