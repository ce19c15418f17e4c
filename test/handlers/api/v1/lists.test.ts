import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import { SORTS } from "#lib/modules/scan/scan-status.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { operationOf } from "#test/kit/openapi.ts";
import { editionFor, person } from "#test/kit/team.ts";
import { issue, shows } from "#test/kit/token.ts";

const SERVERS = ["git", "web", "mail", "files", "notes", "maps", "db"];
const tools = Object.fromEntries(
  SERVERS.flatMap((server, s) =>
    ["read", "write", "drop", "list"].map((tool, t) => [
      `${server}:${tool}_${s}`,
      {
        status: (["approved", "pending", "changed"] as const)[(s + t) % 3]!,
        description: t === 1 ? "writes a letter" : `does ${tool}`,
        annotations:
          t === 0 ? { readOnlyHint: true } : t === 2 ? { destructiveHint: true } : { destructiveHint: false },
      },
    ]),
  ),
);
const started = (fn: (app: TestApp) => Promise<void>) =>
  withApp(
    {
      connect: false,
      servers: SERVERS.map((name, n) => ({
        name,
        enabled: n % 3 !== 0,
        ...(n % 2 ? { url: `https://${name}.invalid/mcp` } : { command: "x" }),
      })),
      tools,
    },
    fn,
  );
const get = async (app: TestApp, path: string, as?: Record<string, string>) => {
  const { status, body } = await ask(app, `GET ${path}`, as && { as });
  assert.equal(status, 200, `${path}: ${JSON.stringify(body).slice(0, 300)}`);
  return body.data;
};
const refused = async (app: TestApp, path: string) => {
  const { status, body } = await ask(app, `GET ${path}`);
  assert.equal(status, 400, path);
  return body.error as string;
};

/** One more tool of a server whose others stay as they are. */
function addTool(app: TestApp, n: number): Promise<unknown> {
  const present = app.catalog.of("maps").map(({ name, description, inputSchema, annotations }) => {
    return { name, description, inputSchema, ...(annotations && { annotations }) } as RawTool;
  });
  return app.catalog.acceptListing("maps", [{ name: `a_new_${n}`, inputSchema: {} }, ...present]);
}

const addToken = (app: TestApp, n: number) => issue(app, { name: `a-new-${n}` });

/** Each list that has pages: its address, the member with its rows, what tells them apart, and what adds one. */
const LISTS: [
  path: string,
  member: string,
  id: (row: Record<string, unknown>) => string,
  add: (app: TestApp, n: number) => Promise<unknown>,
][] = [
  [
    "/api/v1/servers",
    "servers",
    (row) => String(row.name),
    (app, n) => ask(app, "POST /api/v1/servers", { body: { name: `new${n}`, command: "x", enabled: false } }),
  ],
  ["/api/v1/tools", "tools", (row) => `${row.server_name}:${row.name}`, addTool],
  ["/api/v1/tokens", "tokens", (row) => String(row.name), addToken],
  ["/api/v1/registries", "registries", (row) => String(row.id), async () => {}],
  [
    "/api/v1/secrets",
    "secrets",
    (row) => String(row.name),
    (app, n) => ask(app, "POST /api/v1/secrets", { body: { name: `a_new_${n}`, value: "v" } }),
  ],
  ["/api/v1/servers/maps/tools", "tools", (row) => String(row.name), addTool],
];

test("walking the activity by cursor gives the unpaged list while records are added; offset and cursor exclude each other", () =>
  started(async (app) => {
    for (let n = 0; n < 25; n++) await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: `git:t${n}` }] } });
    const path = "/api/v1/activity?type=preflight";
    const unpaged = (await get(app, `${path}&limit=100`)).activities.map((a: { id: string }) => a.id);
    assert.equal(unpaged.length, 25);
    const walked: string[] = [];
    let page = await get(app, `${path}&limit=5&fields=id,timestamp`);
    for (;;) {
      walked.push(...page.activities.map((a: { id: string }) => a.id));
      assert.ok(page.activities.every((a: object) => Object.keys(a).join() === "id,timestamp"));
      if (page.next_cursor === undefined) break;
      await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: "git:more" }] } });
      page = await get(app, `${path}&limit=5&fields=id,timestamp&cursor=${page.next_cursor}`);
    }
    assert.deepEqual(walked, unpaged);
    const { next_cursor } = await get(app, `${path}&limit=5`);
    assert.match(
      await refused(app, `${path}&cursor=${next_cursor}&offset=1`),
      /^send either cursor or offset, not both$/,
    );
    assert.match(await refused(app, `/api/v1/activity?cursor=${next_cursor}`), /^cursor: /);
    assert.match(await refused(app, `/api/v1/sessions?cursor=${next_cursor}`), /^cursor: /);
  }));

test("walking the sessions by cursor gives the unpaged list in each order, while sessions are added", () =>
  started(async (app) => {
    const put = (n: number) =>
      app.store.sessions.put({
        id: `s${n}`,
        status: n % 2 ? "active" : "closed",
        client_name: "c",
        client_version: "1",
        mode: "retrieve",
        actor: "anonymous",
        started_at: 1_700_000_000_000 + (n % 5) * 1000,
        last_active_at: 1_700_000_000_000 + (n % 7) * 1000,
        tool_calls: n % 3,
      });
    for (let n = 0; n < 24; n++) await put(n);
    let next = 100;
    for (const sort of ["", "last_activity", "-start_time", "start_time", "-tool_call_count", "tool_call_count"])
      for (const status of ["", "&status=active"]) {
        const query = status + (sort && `&sort=${sort}`);
        const unpaged = (await get(app, `/api/v1/sessions?limit=100${query}`)).sessions.map(
          (s: { id: string }) => s.id,
        );
        const walked: string[] = [];
        for (let cursor = ""; ; ) {
          const page = await get(app, `/api/v1/sessions?limit=5${query}${cursor}`);
          walked.push(...page.sessions.map((s: { id: string }) => s.id));
          if (page.next_cursor === undefined) break;
          cursor = `&cursor=${page.next_cursor}`;
          if (walked.length === 5) await put(next++);
        }
        assert.equal(new Set(walked).size, walked.length);
        assert.deepEqual(
          walked.filter((id) => unpaged.includes(id)),
          unpaged,
          query,
        );
      }
    assert.match(await refused(app, "/api/v1/sessions?sort=start"), /^sort: .*did you mean "start_time"/);
  }));

interface Walk {
  path: string;
  member: string;
  /** What tells its rows apart. */
  id(row: Record<string, unknown>): string;
  add(app: TestApp, n: number): Promise<unknown>;
  /** Queries of each order. */
  orders: readonly string[];
  /** The limit with which one page holds all. */
  all: number;
}

/** Walks a list page by page in each order, while rows are added, and compares with the list on one page. */
async function walk(app: TestApp, { path, member, id, add, orders, all }: Walk): Promise<void> {
  let added = 0;
  for (const order of orders) {
    const unpaged = (await get(app, `${path}?limit=${all}&${order}`))[member].map(id);
    assert.ok(unpaged.length > 2, "there is more than one page");
    const walked: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await get(app, `${path}?limit=2&${order}${cursor}`);
      assert.ok(page[member].length <= 2);
      walked.push(...page[member].map(id));
      if (page.next_cursor === undefined) break;
      cursor = `&cursor=${page.next_cursor}`;
      if (walked.length === 2) await add(app, added++);
    }
    assert.equal(new Set(walked).size, walked.length, `${order}: something came twice`);
    assert.deepEqual(
      walked.filter((row) => unpaged.includes(row)),
      unpaged,
      order,
    );
  }
}

for (const [path, member, id, add] of LISTS)
  test(`walking ${path} by cursor gives the unpaged list, in each order, while rows are added`, () =>
    started(async (app) => {
      const route = path.replace("/maps/", "/{name}/");
      const sort = operationOf({ method: "GET", path: route })!.parameters.find(({ name }) => name === "sort")!;
      const sorts = (sort as unknown as { description: string }).description.split(";")[0]!.split(", ");
      assert.ok(sorts.length >= 3, sorts.join());
      for (const n of [1, 2, 3, 4]) {
        await issue(app, { name: `bot-${n}` });
        await ask(app, "POST /api/v1/secrets", { body: { name: `secret_${n}`, value: "v" } });
      }
      const orders = ["", ...sorts, ...sorts.map((one) => `-${one}`)].map((order) => order && `sort=${order}`);
      await walk(app, { path, member, id, add, orders, all: 1000 });
    }));

test("walking the users by cursor gives the unpaged list, in each order, while people sign in", () =>
  withApp({ connect: false, config: { server_edition: editionFor("https://id.example") } }, async (app) => {
    const add = (_: TestApp, n: number) =>
      person(app, {
        email: `p${n % 5}-${n}@example.com`,
        createdAt: 1_700_000_000_000 + (n % 4) * 1000,
        signedInAt: 1_700_000_000_000 + (n % 3) * 1000,
      });
    for (let n = 100; n < 111; n++) await add(app, n);
    const sorts = ["id", "email", "role", "created_at", "last_login_at", "active_sessions", "tokens"];
    const orders = ["", ...sorts, ...sorts.map((one) => `-${one}`)].map((order) => order && `sort=${order}`);
    await walk(app, {
      path: "/api/v1/admin/users",
      member: "users",
      id: (row) => String(row.id),
      add,
      orders,
      all: 1000,
    });
  }));

test("walking the scans by cursor gives the unpaged list, in each order, while scans begin", () =>
  started(async (app) => {
    const add = (_: TestApp, n: number) => {
      const server_name = SERVERS[n % SERVERS.length]!;
      const [id, createdAt] = [`scan-${n}`, 1_700_000_000_000 + (n % 6) * 1000];
      const status = (["completed", "failed", "cancelled"] as const)[n % 3]!;
      const scan_context = { tools: 1, source: "program", total_files: 0 };
      const job = { id, server_name, status, scanners: [], dry_run: false, created_at: rfc3339(createdAt) };
      return app.store.scans.put(
        { id, server: server_name, createdAt, job: { ...job, scanner_statuses: [], scan_context } },
        20,
      );
    };
    for (let n = 100; n < 117; n++) await add(app, n);
    const orders = ["", ...SORTS.flatMap((sort) => [`sort=${sort}&order=asc`, `sort=${sort}&order=desc`])];
    await walk(app, {
      path: "/api/v1/security/scans",
      member: "scans",
      id: (row) => String(row.id),
      add,
      orders,
      all: 200,
    });
  }));

test("filters narrow the list of servers; its counts stay those of all", () =>
  started(async (app) => {
    const rows: [string, string[]][] = [
      ["admin_state=disabled", ["git", "files", "db"]],
      ["protocol=http", ["web", "files", "maps"]],
      ["q=MA", ["mail", "maps"]],
      ["q=ma+invalid", ["maps"]],
      ["admin_state=disabled&protocol=http", ["files"]],
      ["status=ready", []],
      ["action=enable&sort=name", ["db", "files", "git"]],
      ["sort=-name&limit=2", ["web", "notes"]],
    ];
    for (const [query, wanted] of rows) {
      const data = await get(app, `/api/v1/servers?${query}`);
      assert.deepEqual(
        data.servers.map((s: { name: string }) => s.name),
        wanted,
        query,
      );
      assert.equal(data.stats.total_servers, SERVERS.length);
    }
    const whole = await get(app, "/api/v1/servers");
    assert.deepEqual([whole.total, whole.limit, whole.next_cursor], [SERVERS.length, undefined, undefined]);
    assert.deepEqual((await get(app, "/api/v1/servers?limit=0")).limit, 1);
    assert.match(await refused(app, "/api/v1/servers?status=redy"), /^status: must be one of disconnected/);
    assert.match(await refused(app, "/api/v1/servers?sort=tool_cont"), /^sort: .*did you mean "tool_count"/);
    assert.match(await refused(app, "/api/v1/servers?fields=nme"), /^fields: .*did you mean "name"/);
    const { next_cursor } = await get(app, "/api/v1/servers?limit=1");
    assert.match(await refused(app, `/api/v1/servers?limit=1&q=x&cursor=${next_cursor}`), /^cursor: /);
    assert.match(await refused(app, `/api/v1/tools?cursor=${next_cursor}`), /^cursor: /);
  }));

test("filters narrow the list of tools; its counts stay those of all", () =>
  started(async (app) => {
    await ask(app, "POST /api/v1/servers/web/tools/block", { body: { tools: ["read_1"] } });
    const rows: [string, number][] = [
      ["server=git", 4],
      ["server=nope", 0],
      ["approval=approved", 11],
      ["approval=changed", 9],
      ["approval=changed,approved", 20],
      ["enabled=false", 1],
      ["permission=destructive", 7],
      ["permission=read&server=web", 1],
      ["q=letter", 7],
      ["q=letter+web", 1],
    ];
    for (const [query, wanted] of rows) {
      const data = await get(app, `/api/v1/tools?${query}`);
      assert.deepEqual([data.tools.length, data.total, data.stats.total], [wanted, wanted, 28], query);
    }
    const all = (await get(app, "/api/v1/tools")).tools as { scan: { verdict: string } }[];
    let found = 0;
    for (const risk of ["clean", "suspicious", "dangerous"]) {
      const { tools } = await get(app, `/api/v1/tools?risk=${risk}`);
      assert.deepEqual(
        tools,
        all.filter(({ scan }) => scan.verdict === risk),
      );
      found += tools.length;
    }
    assert.equal(found, 28);
    const { tools } = await get(app, "/api/v1/tools?limit=2&sort=-server_name,name&fields=name,server_name");
    assert.deepEqual(tools, [
      { name: "drop_1", server_name: "web" },
      { name: "list_1", server_name: "web" },
    ]);
    assert.equal((await get(app, "/api/v1/servers/web/tools?approval=changed")).total, 1);
  }));

test("what a caller may not read of a tool neither selects it nor sorts it", () =>
  started(async (app) => {
    const bot = shows(await issue(app, { name: "bot", allowed_servers: ["git", "web"] }));
    const all = await get(app, "/api/v1/tools", bot);
    assert.deepEqual([...new Set(all.tools.map((t: { server_name: string }) => t.server_name))], ["git", "web"]);
    const found = await get(app, "/api/v1/tools?q=letter", bot);
    assert.deepEqual(
      found.tools,
      all.tools.filter((t: { description: string }) => t.description.includes("letter")),
    );
    const destructive = await get(app, "/api/v1/tools?permission=destructive", bot);
    assert.ok(destructive.tools.every((t: { withheld?: true }) => !t.withheld));
    const { status, body } = await ask(app, "GET /api/v1/tools?risk=clean", { as: bot });
    assert.deepEqual([status, /^risk: .*for administrators/.test(body.error)], [400, true]);
  }));

test("every list whose records can be cut down says so in the reference", () => {
  for (const e of endpoints) {
    const names = operationOf(e)!.parameters.map(({ name }) => name);
    assert.equal(names.includes("fields"), e.spec.answers?.sparse !== undefined, e.route);
  }
});
