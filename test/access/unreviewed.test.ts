import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { mounts } from "#handlers/mcp.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
import { eventHistory } from "#lib/core/extension/event-history.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { newer } from "#test/kit/era.ts";
import { INITIALIZE, toolCall } from "#test/kit/mcp.ts";
import { editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

/**
 * What no person has reviewed, in every state × every caller × every surface: who reads which text of a server.
 *
 * `test/programs/marked.mjs` says a mark of its own in each place. The rule, written here and nowhere taken from:
 * - Administrators may read everything.
 * - Others may read of a server that is neither quarantined nor held nor removed: what it says of itself, the tools that
 *   are approved and not blocked, and of a tool that changed its approved definition (`moved`), never the new one.
 * - A token that is limited to other servers reads nothing of them.
 */
const READABLE = [
  // Released; its tool `bad` is blocked, `moved` has changed, `late` and `poison` are pending.
  /^open-(self|fine|moved)$/,
  // Removed and returned as it was: approvals, blocks and pins are as before.
  /^back-(self|fine|moved)$/,
];
/** Before `again` was quarantined and the others were removed; of use to nobody but a reader of the live stream. */
const THEN = /^(again|gone|left)-(self|fine|moved)$/;
const ADMINS = ["admin", "socket", "chief"];
const LIMITED = ["scoped"];
const mayRead = (tier: string, where: string, mark: { server: string; tool: string }) =>
  ADMINS.includes(tier) ||
  (!LIMITED.includes(tier) &&
    [...READABLE, ...(where === BEFORE ? [THEN] : [])].some((known) => known.test(`${mark.server}-${mark.tool}`)));
const BEFORE = "events, live, before the review was taken back";

const MARK = /mkx-([a-z]+)-([a-z]+)-([a-z]+)-xkm/gi;
const marksIn = (text: string) =>
  [...text.matchAll(MARK)].map(([mark, server = "", tool = "", place = ""]) => ({
    mark: mark.toLowerCase(),
    server: server.toLowerCase(),
    tool: tool.toLowerCase(),
    place: place.toLowerCase(),
  }));

const RELEASED = ["open", "back", "gone", "left", "again"];
const SERVERS = [...RELEASED, "quar", "held", "broken", "exits", "unlist"];
const TOOLS = ["fine", "bad", "moved", "late", "poison"];
const FAILS: Record<string, string> = { broken: "handshake", exits: "exit", unlist: "listing" };
const RPC_LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };

interface World {
  app: TestApp;
  url: string;
  tiers: Tier[];
  /** The name of the live stream. */
  live: string;
  /** What was read, as who and where, and the text. */
  seen: [tier: string, where: string, text: string][];
}

async function world(t: TestContext, edition: boolean): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-marked-"));
  const phase = (server: string) => join(folder, server);
  const entry = (name: string, ...more: string[]) => ({
    name,
    command: process.execPath,
    args: ["test/programs/marked.mjs", name, phase(name), ...(FAILS[name] ? [FAILS[name]] : []), ...more],
    quarantined: !RELEASED.includes(name),
  });
  const app = await testApp({
    connect: false,
    config: {
      enable_socket: true,
      registries: [],
      trusted_hosts: ["proxy.example"],
      profiles: [{ name: "front", servers: SERVERS }],
      ...(edition && {
        server_edition: editionFor("https://id.example", { access: { group_servers: { lead: "*" } } }),
      }),
    },
    servers: [...SERVERS.map((name) => entry(name)), { name: "elsewhere", command: "none", enabled: false }],
  });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const tiers = edition ? await people(app) : await callers(app);
  const admin: Tier = { name: "admin", headers: { "x-api-key": TEST_KEY }, listener: "tcp" };
  const there: World = { app, url, tiers, seen: [], live: BEFORE };
  for (const tier of tiers) follow(t, there, tier);
  const ask = async (route: string, body?: object) => {
    const { status, text } = await send(app, admin, route, body);
    assert.ok(status < 300, `${route}: ${status} ${text}`);
    return JSON.parse(text);
  };
  const listed = (name: string) => until(`tools of ${name}`, () => app.catalog.of(name).some((row) => row.present));

  app.upstreams.start();
  for (const name of SERVERS)
    if (FAILS[name]) await until(`${name} has failed`, () => app.upstreams.get(name)?.status().lastError !== undefined);
    else await listed(name);
  for (const name of RELEASED) {
    await ask(`POST /api/v1/servers/${name}/tools/block`, { tools: ["bad"] });
    await send(app, admin, "POST /api/v1/tools/call", { tool_name: `${name}:fine`, arguments: {} });
  }
  for (const name of ["open", "back"]) writeFileSync(phase(name), "2");
  for (const name of ["quar", "gone", "again"]) writeFileSync(phase(name), "2");
  for (const name of ["open", "back", "quar", "again"]) await ask(`POST /api/v1/servers/${name}/refresh`, {});
  await until("the change is listed", () =>
    ["open", "back"].every((name) => app.catalog.get(`${name}:moved`)?.status === "changed"),
  );
  await settled(there);
  await ask("POST /api/v1/servers/again/quarantine");
  for (const name of ["quar", "open"]) await ask(`POST /api/v1/servers/${name}/scan`, {});
  for (const name of ["back", "gone", "left"]) await ask(`DELETE /api/v1/servers/${name}`);
  await settled(there);
  there.live = "events, live";
  const { quarantined: _, ...changed } = entry("gone", "other");
  await ask("POST /api/v1/servers", entry("back"));
  await ask("POST /api/v1/servers", changed);
  for (const name of ["back", "gone"]) await listed(name);
  const patch = { operation: "patch", name: "held", args_json: JSON.stringify([...entry("held").args, "other"]) };
  await send(app, admin, "POST /mcp/call", toolCall("upstream_servers", patch));
  await until("it is held", () => app.config.server("held")?.held === true);
  await until("the scans are done", async () => {
    const { text } = await send(app, admin, "GET /api/v1/security/scans");
    return !/"status":"(pending|running|queued)"/.test(text);
  });
  await app.catalog.indexed;
  return there;
}

async function callers(app: TestApp): Promise<Tier[]> {
  const all = ["read", "write", "destructive"] as const;
  const key = (name: string, token: string): Tier => ({ name, headers: { "x-api-key": token }, listener: "tcp" });
  return [
    key("admin", TEST_KEY),
    { name: "socket", headers: {}, listener: "socket" },
    key("full", await issue(app, { name: "full", permissions: [...all] })),
    key("read", await issue(app, { name: "read" })),
    key("scoped", await issue(app, { name: "scoped", permissions: [...all], allowed_servers: ["elsewhere"] })),
    { name: "nobody", headers: {}, listener: "tcp" },
    { name: "nobody from afar", headers: { host: "proxy.example" }, listener: "tcp" },
  ];
}

async function people(app: TestApp): Promise<Tier[]> {
  const tcp = (name: string, headers: Record<string, string>): Tier => ({ name, headers, listener: "tcp" });
  const lead = await person(app, { email: "lead@example.com", groups: ["lead"] });
  const chief = await person(app, { email: "carol@example.com", admin: true });
  return [
    tcp("admin", { "x-api-key": TEST_KEY }),
    tcp("chief", await sessionOf(app, chief)),
    tcp("chief token", await tokenOf(app, chief)),
    tcp("lead", await sessionOf(app, lead)),
    tcp("lead token", await tokenOf(app, lead)),
  ];
}

/** Reads a caller's event stream until the test ends, from its beginning where it is `again`. */
function follow(t: TestContext, there: World, tier: Tier, again?: "again"): void {
  if (!hasStream(tier)) return;
  const control = new AbortController();
  t.after(() => control.abort());
  const headers = { ...tier.headers, ...(again && { "last-event-id": there.app.part(eventHistory).positionId(0) }) };
  void fetch(`${there.url}/events`, { headers, signal: control.signal })
    .then(async ({ body }) => {
      for await (const text of body!.pipeThrough(new TextDecoderStream()))
        there.seen.push([tier.name, again ? AGAIN : there.live, text]);
    })
    .catch(() => {});
}

const AGAIN = "events, replayed";
const hasStream = ({ name, listener }: Tier) => listener === "tcp" && !name.startsWith("nobody");

/** Waits until every stream has told everything up to now. */
async function settled({ app, tiers, seen, live }: World, of = live): Promise<void> {
  // No reason that the proxy gives, so that it is found in the text.
  const reason = `so far ${seen.length}` as "resumed";
  // A later change takes the place of one that waits to be told, so it is told again until it was read.
  let last = 0;
  const publish = () => {
    if (Date.now() < last + 500) return;
    last = Date.now();
    app.events.publish("servers.changed", { reason });
  };
  for (const { name } of tiers.filter(hasStream))
    await until(`${name} reads ${of}`, () => {
      publish();
      const text = seen.flatMap(([tier, where, part]) => (tier === name && where === of ? [part] : [])).join("");
      return text.includes(reason);
    });
}

/** Every message that a client can send, by the path it goes to. */
function messages(): [path: string, what: string, message: object, headers?: Record<string, string>][] {
  const paths = mounts.map(({ path }) => path.replace("{profile}", "front"));
  const ids = SERVERS.flatMap((server) => TOOLS.map((tool) => `${server}:${tool}`));
  const fives = Array.from({ length: ids.length / 5 }, (_, at) => ids.slice(at * 5, at * 5 + 5));
  const intent = (variant: string) => ({ operation_type: variant.slice("call_tool_".length) });
  const calls: [string, object][] = [
    ...["reads ignore instructions keys", "fine bad moved late poison", SERVERS.join(" ")].flatMap((query) =>
      ["full", "compact"].map((detail): [string, object] => [
        "retrieve_tools",
        { query, detail, limit: 100, include_disabled: true },
      ]),
    ),
    ...fives.map((five): [string, object] => ["describe_tool", { ids: five }]),
    ["describe_tool", { ids, check: true }],
    ["describe_tool", { ids: ids.map((id) => `${id}x`), check: true }],
    ...["call_tool_read", "call_tool_write", "call_tool_destructive"].flatMap((variant) =>
      (variant === "call_tool_read" ? ids : ["open:late", "quar:fine"]).map((name): [string, object] => [
        variant,
        { name, args: {}, intent: intent(variant) },
      ]),
    ),
    ["upstream_servers", { operation: "list" }],
    ...["tail_log", "patch", "update", "enable", "refresh", "restart"].flatMap((operation) =>
      SERVERS.map((name): [string, object] => ["upstream_servers", { operation, name, enabled: true }]),
    ),
    ["upstream_servers", { operation: "add", name: "quar", command: "none" }],
    ["search_servers", { search: "quar" }],
    ["list_registries", {}],
  ];
  const sources = [
    `JSON.stringify(${JSON.stringify(ids)}.map((id) => call_tool(id.split(":")[0], id.split(":")[1], {})))`,
    ...["quar:fine", "open:late", "open:bad", "held:fine", "gone:fine"].map(
      (id) => `const [s, t] = "${id}".split(":"); const got = call_tool(s, t, {}); if (!got.ok) throw got.error; got`,
    ),
  ];
  return [
    ...paths.flatMap((path): [string, string, object, Record<string, string>?][] => {
      const list = newer("tools/list");
      const discover = newer("server/discover");
      return [
        [path, "initialize", INITIALIZE],
        [path, "tools/list", RPC_LIST],
        [path, "tools/list 2026", list.message, list.headers as Record<string, string>],
        [path, "server/discover", discover.message, discover.headers as Record<string, string>],
      ];
    }),
    ...calls.map(([tool, args]): [string, string, object] => [
      "/mcp/call",
      JSON.stringify([tool, args]),
      toolCall(tool, args),
    ]),
    ...ids.map((id): [string, string, object] => ["/mcp/all", id, toolCall(id.replace(":", "__"), {})]),
    ...ids.map((id): [string, string, object, Record<string, string>] => {
      const { message, headers } = newer("tools/call", { name: id.replace(":", "__"), arguments: {} });
      return ["/mcp/all", `${id} 2026`, message, headers as Record<string, string>];
    }),
    ...sources.map((code): [string, string, object] => ["/mcp/code", code, toolCall("code_execution", { code })]),
  ];
}

/** They ask somebody else, or wait for it. */
const ELSEWHERE = /^\/api\/v1\/(registries\/|auth\/|servers\/\{name\}\/login)/;

async function gets(app: TestApp): Promise<string[]> {
  const { records } = await app.store.activity.select({}, { limit: 1000 });
  // Those that hold a mark, and one of each kind.
  const kinds = new Map(records.map((record) => [`${record.type} ${record.server_name} ${record.status}`, record]));
  const marked = records.filter((record) => marksIn(JSON.stringify(record)).length > 0).slice(0, 30);
  const ids = [...new Set([...marked, ...kinds.values()].map(({ id }) => id))].slice(0, 100);
  const scans = (await app.store.scans.all()).map((row) => row.id);
  const values: Record<string, readonly string[]> = {
    name: [...SERVERS, "full", "front"],
    tool: TOOLS,
    id: [...ids, ...scans],
    server: SERVERS,
    item: SERVERS,
    client: ["cursor"],
    version: ["1", "2"],
    page: ["servers"],
    part: ["tools"],
    file: ["index.html"],
  };
  const expand = (path: string): string[] => {
    const param = /\{(\w+)\}/.exec(path);
    return param ? (values[param[1]!] ?? ["x"]).flatMap((v) => expand(path.replace(param[0], v))) : [path];
  };
  const queries = (path: string) => {
    if (path === "/api/v1/activity/export") return ["?include_bodies=true", "?format=csv&include_bodies=true"];
    if (path.endsWith("/tools/export")) return ["", "?format=text"];
    if (path.endsWith("/index/search")) return ["?q=reads", "?q=poison&limit=50", "?q=keys"];
    return [path === "/api/v1/activity" ? "?limit=100" : ""];
  };
  const wanted = endpoints.filter(
    ({ method, path }) => method === "GET" && !ELSEWHERE.test(path) && path !== "/events",
  );
  assert.ok(wanted.length > 50);
  return wanted.flatMap(({ path }) => expand(path).flatMap((target) => queries(path).map((query) => target + query)));
}

async function look(there: World, t: TestContext): Promise<void> {
  const { app, seen } = there;
  // Administrators may read everything: one of them shows what there is to read.
  const tiers = there.tiers.filter(({ name }) => name === "admin" || !ADMINS.includes(name));
  const ids = SERVERS.flatMap((server) => TOOLS.map((tool) => `${server}:${tool}`));
  const posts: [string, object][] = [
    ["POST /api/v1/preflight", { tools: ids.map((id) => ({ id })) }],
    ["POST /api/v1/preflight", { tools: ids.map((id) => ({ id: `${id}x` })) }],
    ...ids.map((tool_name): [string, object] => ["POST /api/v1/tools/call", { tool_name, arguments: {} }]),
    ["POST /api/v1/code/exec", { code: `JSON.stringify(call_tool("quar", "fine", {}))` }],
    ["POST /api/v1/code/exec", { code: `throw call_tool("open", "late", {}).error` }],
  ];
  for (const tier of tiers) {
    for (const [path, what, message, headers] of messages())
      seen.push([tier.name, `${path} ${what}`, (await send(app, tier, `POST ${path}`, message, headers)).text]);
    for (const [route, body] of posts)
      seen.push([tier.name, `${route} ${JSON.stringify(body)}`, (await send(app, tier, route, body)).text]);
  }
  const targets = await gets(app);
  for (const tier of tiers)
    for (const target of targets)
      seen.push([tier.name, `GET ${target}`, (await send(app, tier, `GET ${target}`)).text]);
  for (const tier of tiers) follow(t, there, tier, "again");
  await until("the replay has begun", () =>
    tiers.filter(hasStream).every(({ name }) => seen.some(([tier, where]) => tier === name && where === AGAIN)),
  );
  await settled({ ...there, tiers }, AGAIN);
}

/** What the command line prints to somebody who has an agent's token. */
async function lookByCommand({ app, url, seen, tiers }: World): Promise<void> {
  const line = [
    "status",
    "doctor",
    "diagnostics",
    "upstream list",
    "tools list",
    "tools list -s quar",
    "tools search reads",
    "tools export quar",
    "tools export open",
    "activity list",
    "activity summary",
    "security overview",
    "config get",
    ...SERVERS.flatMap((name) => [
      `upstream show ${name}`,
      `upstream logs ${name}`,
      `security report ${name}`,
      `tools diff ${name}:moved`,
      `tools preflight ${name}:fine`,
      `call ${name}:fine`,
    ]),
  ];
  for (const name of ["read", "lead token"]) {
    const tier = tiers.find((one) => one.name === name);
    if (!tier) continue;
    const env = { SERVICE_URL: url, SERVICE_API_KEY: tier.headers["x-api-key"]! };
    for (const command of line)
      for (const format of ["table", "json"]) {
        const { out, err } = await cli([...command.split(" "), "-o", format], commands, { env });
        assert.doesNotMatch(err, /unknown (command|option|flag)/i, command);
        seen.push([name, `proxy ${command} -o ${format}`, out + err]);
      }
  }
  assert.ok(app.boot.listenAddr);
}

function leaksIn({ seen }: World): string[] {
  const leaks = seen.flatMap(([tier, where, text]) =>
    marksIn(text)
      .filter((mark) => !mayRead(tier, where, mark))
      .map(({ mark }) => `${tier} | ${where.slice(0, 120)} | ${mark}`),
  );
  return [...new Set(leaks)];
}

/** The marks that somebody read anywhere. */
const readBy = ({ seen }: World, tier: string) =>
  new Set(seen.flatMap(([name, , text]) => (name === tier ? marksIn(text).map(({ mark }) => mark) : [])));

for (const edition of [false, true])
  test(`nothing that no person has reviewed is read by callers that are not administrators, on any surface${edition ? ", in the multi-user edition" : ""}`, async (t) => {
    const there = await world(t, edition);
    assert.deepEqual(
      SERVERS.map((name) => {
        const server = there.app.config.server(name);
        return server && `${name}${server.quarantined === false ? "" : " quarantined"}${server.held ? " held" : ""}`;
      }),
      [
        "open",
        "back",
        "gone quarantined",
        undefined,
        "again quarantined",
        "quar quarantined",
        "held quarantined held",
        "broken quarantined",
        "exits quarantined",
        "unlist quarantined",
      ],
    );
    for (const name of ["open", "back"])
      assert.deepEqual(
        there.app.catalog
          .of(name)
          .filter(({ present }) => present)
          .map((row) => `${row.name} ${row.disabled ? "blocked" : row.status}`)
          .sort(),
        ["bad blocked", "fine approved", "late pending", "moved changed", "poison pending"],
      );

    await look(there, t);
    await lookByCommand(there);

    assert.deepEqual(leaksIn(there), []);
    // What was looked at does hold the texts: an administrator reads them, and others what was reviewed.
    const byAdmin = readBy(there, "admin");
    for (const mark of SEEN_BY_ADMINISTRATORS) assert.ok(byAdmin.has(mark), `an administrator reads ${mark}`);
    const byAgent = readBy(there, edition ? "lead token" : "read");
    for (const mark of SEEN_BY_AGENTS) assert.ok(byAgent.has(mark), `an agent reads ${mark}`);
    assert.deepEqual([...readBy(there, "scoped")], []);
  });

const SEEN_BY_AGENTS = [
  ..."title description schema parameter parametertext default enum nested output annotation icon metaname"
    .split(" ")
    .map((place) => `mkx-open-fine-${place}-xkm`),
  "mkx-open-self-name-xkm",
  "mkx-open-self-callerror-xkm",
  "mkx-open-moved-description-xkm",
  "mkx-back-fine-description-xkm",
];

const SEEN_BY_ADMINISTRATORS = [
  ...SEEN_BY_AGENTS,
  ...[
    "quar-fine",
    "quar-poison",
    "open-late",
    "open-bad",
    "open-movedtwo",
    "held-fine",
    "gone-fine",
    "again-fine",
  ].flatMap((tool) => [`mkx-${tool}-description-xkm`, `mkx-${tool}-parameter-xkm`]),
  "mkx-quar-self-instructions-xkm",
  "mkx-quar-self-name-xkm",
  "mkx-quar-self-stderr-xkm",
  "mkx-again-self-callerror-xkm",
  "mkx-broken-self-handshake-xkm",
  "mkx-exits-self-stderr-xkm",
  "mkx-unlist-self-listing-xkm",
];
