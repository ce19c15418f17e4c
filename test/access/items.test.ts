import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import type { ListedKind } from "#lib/core/schema/item.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { newer } from "#test/kit/era.ts";
import { issue } from "#test/kit/token.ts";

/**
 * Prompts, resources and templates in every state × every caller × every surface: who reads which text of them.
 *
 * Each definition holds a mark. The rule, written here and nowhere taken from:
 * - Over MCP, everybody reads what is approved and not blocked, of servers that are enabled, not quarantined, in the
 *   caller's scope and in the profile of the address.
 * - Over REST and on the command line, administrators read everything. Others read the same as above, whatever the
 *   profile, and of a disabled server what was approved; of an item that changed, the approved definition alone.
 */
const STATES = ["fine", "waits", "moved", "bad"] as const;
const SERVERS = { open: {}, back: {}, quar: { quarantined: true }, off: {} };
const KINDS = ["prompt", "resource", "template"] as const;
const PROFILE = ["open", "quar", "off"];

interface Mark {
  server: string;
  state: string;
  kind: string;
  /** `was` stands in a definition that was approved, `is` in the present one. */
  when: string;
}
const markOf = (server: string, state: string, kind: string, when: string) =>
  `mkx-${server}-${state}-${kind}-${when}-xkm`;
const marksIn = (text: string): Mark[] =>
  [...text.matchAll(/mkx-([a-z]+)-([a-z]+)-([a-z]+)-([a-z]+)-xkm/g)].map(
    ([, server = "", state = "", kind = "", when = ""]) => ({ server, state, kind, when }),
  );

const SCOPES: Record<string, readonly string[] | undefined> = { scoped: ["back"] };
const inScope = (caller: string, server: string) => SCOPES[caller]?.includes(server) ?? true;

function mayRead(caller: string, surface: "mcp" | "profile" | "rest", { server, state, when }: Mark): boolean {
  if (surface === "rest" && caller === "admin") return true;
  if (!inScope(caller, server) || server === "quar") return false;
  if (surface === "profile" && !PROFILE.includes(server)) return false;
  if (surface !== "rest" && server === "off") return false;
  return state === "fine" || (surface === "rest" && state === "moved" && when === "was");
}

const nameOf = (kind: ListedKind, state: string) =>
  ({ prompt: state, resource: `note://${state}`, template: `note://${state}/{id}` })[kind];
const entryOf = (kind: ListedKind, server: string, state: string, when: string): McpObject => {
  const mark = markOf(server, state, kind, when);
  const name = nameOf(kind, state);
  const texts = { title: mark, description: mark };
  if (kind === "prompt") return { name, ...texts, arguments: [{ name: "who", description: mark }] };
  return kind === "resource" ? { uri: name, name: mark, ...texts } : { uriTemplate: name, name: mark, ...texts };
};

let app: TestApp;
let url: string;
let close: () => Promise<void>;
let tiers: (Tier & { key?: string })[];

before(async () => {
  app = await testApp({
    connect: false,
    config: { profiles: [{ name: "front", servers: PROFILE }] },
    servers: Object.entries(SERVERS).map(([name, more]) => ({
      name,
      command: "x",
      quarantined: false,
      resource_approval: "manual" as const,
      ...more,
    })),
  });
  ({ close, url } = await listenTest(app));
  const admin: Tier = { name: "admin", headers: { "x-api-key": TEST_KEY }, listener: "tcp" };
  for (const server of Object.keys(SERVERS))
    for (const kind of KINDS) {
      const first = STATES.filter((state) => state !== "waits");
      await app.catalog.items.accept(
        server,
        kind,
        first.map((state) => entryOf(kind, server, state, state === "moved" ? "was" : "is")),
      );
      await app.catalog.items.accept(
        server,
        kind,
        STATES.map((state) => entryOf(kind, server, state, "is")),
      );
      const body = { kinds: [kind], names: [nameOf(kind, "bad")] };
      assert.equal((await send(app, admin, `POST /api/v1/servers/${server}/items/block`, body)).status, 200);
    }
  await send(app, admin, "POST /api/v1/servers/off/disable");
  const token = async (name: string, more: object = {}) => {
    const key = await issue(app, { name, ...more });
    return { name, headers: { authorization: `Bearer ${key}` }, listener: "tcp" as const, key };
  };
  tiers = [
    { ...admin, key: TEST_KEY },
    await token("agent"),
    await token("scoped", { allowed_servers: SCOPES.scoped }),
    { name: "anonymous", headers: {}, listener: "tcp" },
  ];
});
after(async () => {
  await close();
  await app.close();
});

/** Every text that may be read is read somewhere, and no other one anywhere. */
function check(caller: string, surface: "mcp" | "profile" | "rest", where: string, text: string): Mark[] {
  const marks = marksIn(text);
  for (const mark of marks)
    assert.ok(
      mayRead(caller, surface, mark),
      `${caller} reads ${JSON.stringify(mark)} at ${where}: ${text.slice(0, 400)}`,
    );
  return marks;
}

const READS: [method: string, params: (server: string, state: string) => Record<string, unknown>][] = [
  ["prompts/get", (server, state) => ({ name: `${server}__${state}` })],
  ["prompts/get", (_, state) => ({ name: state })],
  ["resources/read", (server, state) => ({ uri: `via://${server}/note://${state}` })],
  ["resources/read", (_, state) => ({ uri: `note://${state}` })],
  [
    "completion/complete",
    (server, state) => ({
      ref: { type: "ref/prompt", name: `${server}__${state}` },
      argument: { name: "who", value: "" },
    }),
  ],
  [
    "completion/complete",
    (server, state) => ({
      ref: { type: "ref/resource", uri: `via://${server}/note://${state}/{id}` },
      argument: { name: "id", value: "" },
    }),
  ],
];
const LISTS = ["prompts/list", "resources/list", "resources/templates/list"];

/** Sends one request in the older and the newer generation of the protocol. */
async function both(tier: Tier, path: string, method: string, params: Record<string, unknown> = {}): Promise<string[]> {
  const older = await send(app, tier, `POST ${path}`, { jsonrpc: "2.0", id: 7, method, params });
  const { message, headers } = newer(method, params);
  const name = params.uri ?? params.name;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  const sent = Object.fromEntries(Object.entries({ ...headers, ...named }).filter(([, value]) => value !== undefined));
  const later = await send(
    app,
    { ...tier, headers: { ...tier.headers, ...(sent as Record<string, string>) } },
    `POST ${path}`,
    message,
  );
  return [older.text, later.text];
}

test("over MCP, in both generations, everybody reads what is approved and in scope, and nothing else", async () => {
  for (const tier of tiers)
    for (const [path, surface] of [
      ["/mcp/all", "mcp"],
      ["/mcp/p/front/all", "profile"],
    ] as const) {
      for (const method of LISTS)
        for (const text of await both(tier, path, method)) {
          const where = `${path} ${method}`;
          const seen = new Set(check(tier.name, surface, where, text).map(({ server }) => server));
          const wanted = ["back", "open"].filter((server) => mayRead(tier.name, surface, { ...FINE, server }));
          assert.deepEqual([...seen].sort(), wanted, `${tier.name} ${where}: ${text}`);
        }
      for (const [method, params] of READS)
        for (const server of Object.keys(SERVERS))
          for (const state of STATES)
            for (const text of await both(tier, path, method, params(server, state)))
              check(tier.name, surface, `${path} ${method} ${JSON.stringify(params(server, state))}`, text);
    }
});
const FINE: Mark = { server: "", state: "fine", kind: "prompt", when: "is" };

test("over MCP, a prompt that is hidden is answered as one that does not exist", async () => {
  for (const tier of tiers)
    for (const server of ["quar", "off", "open"])
      for (const state of server === "open" ? ["waits", "moved", "bad"] : STATES) {
        const [hidden] = await both(tier, "/mcp/all", "prompts/get", { name: `${server}__${state}` });
        const [none] = await both(tier, "/mcp/all", "prompts/get", { name: `${server}__none` });
        assert.equal(hidden?.replaceAll(state, "none"), none, `${tier.name} ${server} ${state}`);
      }
});

const REST = ["prompts", "resources", "resource-templates"];

test("over REST, administrators read everything and others what is approved", async () => {
  for (const tier of tiers) {
    const seen = new Set<string>();
    const read = async (route: string) => {
      const { text } = await send(app, tier, `GET /api/v1/${route}`);
      for (const { server, state } of check(tier.name, "rest", route, text)) seen.add(`${server} ${state}`);
    };
    for (const list of REST) {
      await read(list);
      for (const query of ["?q=mkx", "?approval=pending_approval,changed", "?enabled=false", "?sort=-name&limit=2"])
        await read(list + query);
      for (const server of Object.keys(SERVERS)) await read(`servers/${server}/${list}`);
    }
    for (const server of Object.keys(SERVERS))
      for (const kind of KINDS)
        for (const state of STATES)
          await read(`servers/${server}/items/diff?kind=${kind}&item=${encodeURIComponent(nameOf(kind, state))}`);
    for (const route of ["servers", "status", "tools", "doctor", "activity", "lock"]) await read(route);
    const all = Object.keys(SERVERS).flatMap((server) => STATES.map((state): [string, string] => [server, state]));
    const expected = all
      .filter(([server, state]) => mayRead(tier.name, "rest", { server, state, kind: "prompt", when: "was" }))
      .map(([server, state]) => `${server} ${state}`);
    assert.deepEqual([...seen].sort(), tier.name === "anonymous" ? [] : expected.sort(), tier.name);
  }
});

test("on the command line, a token reads what it reads over REST", async () => {
  for (const { name, key } of tiers) {
    if (key === undefined) continue;
    const env = { SERVICE_URL: url, SERVICE_API_KEY: key, CI: "1" };
    for (const argv of [
      ["prompts", "list", "-o", "json"],
      ["resources", "list", "-o", "json"],
      ["prompts", "show", "open:waits"],
      ["resources", "show", "open:note://moved"],
      ["resources", "show", "quar:note://fine"],
      ["review", "--list", "-o", "json"],
    ]) {
      const { out, err } = await cli(argv, commands, { env, stdin: "" });
      const marks = check(name, "rest", argv.join(" "), out + err);
      if (argv[1] === "list") assert.ok(marks.length > 0, `${name} ${argv.join(" ")}: ${err}`);
    }
  }
});
