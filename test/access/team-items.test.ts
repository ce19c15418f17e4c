import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ListedKind } from "#lib/core/schema/item.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { newer } from "#test/kit/era.ts";
import { call } from "#test/kit/http.ts";
import { editionFor, person, tokenOf } from "#test/kit/team.ts";

/**
 * Prompts, resources and templates in the multi-user edition, beside `items.test.ts`: the groups of a person decide which
 * servers they come from, and an enforced lock file which of them are offered. The answer to a list never names a server
 * that its caller may not use, in `proxy/servers` of `_meta` neither.
 */
const SERVERS = ["alpha", "beta", "gamma"];
const GROUPS = { dev: ["alpha"], lead: "*" };
/** What each caller may use, written here and nowhere taken from. */
const REACH: Record<string, readonly string[]> = {
  key: SERVERS,
  lead: SERVERS,
  "lead for beta": ["beta"],
  dev: ["alpha"],
  none: [],
};
const FRONT = ["alpha", "gamma"];
const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/** In the lock file; in it with another text; not in it. */
const STATES = ["fine", "moved", "new"] as const;
type State = (typeof STATES)[number];
const mark = (server: string, state: State) => `mkx-${server}-${state}-xkm`;
const ENTRIES: Record<ListedKind, (server: string, state: State, text: string) => McpObject> = {
  prompt: (_, state, description) => ({ name: state, description }),
  resource: (server, state, description) => ({ uri: `note://${server}/${state}`, name: state, description }),
  template: (server, state, description) => ({
    uriTemplate: `note://${server}/${state}/{id}`,
    name: state,
    description,
  }),
};

let app: TestApp;
let close: () => Promise<void>;
let tiers: Tier[];

before(async () => {
  app = await testApp({
    connect: false,
    servers: SERVERS.map((name) => ({ name, command: "x", trust_mode: "auto" as const })),
    tools: Object.fromEntries(SERVERS.map((name) => [`${name}:log`, "approved" as const])),
    config: {
      profiles: [{ name: "front", servers: FRONT }],
      server_edition: editionFor("https://id.example", { access: { group_servers: GROUPS, default_servers: [] } }),
    },
  });
  ({ close } = await listenTest(app));
  const list = async (states: readonly State[], textOf: (server: string, state: State) => string) => {
    for (const server of SERVERS)
      for (const kind of ["prompt", "resource", "template"] as const) {
        const entries = states.map((state) => ENTRIES[kind](server, state, textOf(server, state)));
        await app.catalog.items.accept(server, kind, entries);
      }
  };
  await list(["fine", "moved"], (server, state) => (state === "moved" ? "Before." : mark(server, state)));
  const { text } = await call(app, "GET /api/v1/lock", {});
  const path = join(app.boot.dataDir, "mcp.lock");
  writeFileSync(path, text);
  await app.config.update(
    (draft) => void Object.assign(draft, { lock: { ...draft.lock, path, enforce: true } }),
    "test",
  );
  await list(STATES, mark);
  const tcp = (name: string, headers: Record<string, string>): Tier => ({ name, headers, listener: "tcp" });
  const lead = await person(app, { email: "lead@example.com", groups: ["lead"] });
  const dev = await person(app, { email: "dev@example.com", groups: ["dev"] });
  const none = await person(app, { email: "none@example.com", groups: ["other"] });
  tiers = [
    tcp("key", { "x-api-key": TEST_KEY }),
    tcp("lead", await tokenOf(app, lead)),
    tcp("lead for beta", await tokenOf(app, lead, { name: "beta", allowed_servers: ["beta"] })),
    tcp("dev", await tokenOf(app, dev)),
    tcp("none", await tokenOf(app, none)),
  ];
});
after(async () => {
  await close();
  await app.close();
});

/** The answers to one request in the older and the newer generation of the protocol. */
async function answers(tier: Tier, path: string, method: string) {
  const older = await send(app, tier, `POST ${path}`, { jsonrpc: "2.0", id: 7, method, params: {} });
  const { message, headers } = newer(method, {});
  const sent = Object.fromEntries(
    Object.entries({ ...headers, ...tier.headers }).filter(([, value]) => value),
  ) as Record<string, string>;
  const later = await send(app, { ...tier, headers: sent }, `POST ${path}`, message);
  return [older.text, later.text];
}

for (const [path, within] of [
  ["/mcp/all", SERVERS],
  ["/mcp/p/front/all", FRONT],
] as const)
  test(`at ${path}, lists name the servers of the caller's groups alone, and of their items what the lock file has`, async () => {
    for (const tier of tiers)
      for (const method of LISTS)
        for (const text of await answers(tier, path, method)) {
          const where = `${tier.name} ${method}: ${text.slice(0, 600)}`;
          const reach = REACH[tier.name]!.filter((server) => within.includes(server));
          if (path !== "/mcp/all" && reach.length === 0) {
            // To such a caller the profile does not exist.
            assert.match(text, /unknown profile/, where);
            for (const server of SERVERS) assert.ok(!text.includes(server), where);
            continue;
          }
          const { result } = JSON.parse(text);
          assert.ok(result, where);
          for (const server of SERVERS)
            assert.equal(text.includes(server), reach.includes(server), `${server} ${where}`);
          assert.deepEqual(Object.keys(result._meta?.["proxy/servers"] ?? {}).sort(), [...reach].sort(), where);
          if (method === "tools/list") continue;
          const marks = [...text.matchAll(/mkx-([a-z]+)-([a-z]+)-xkm/g)].map(
            ([, server, state]) => `${server} ${state}`,
          );
          assert.deepEqual([...new Set(marks)].sort(), reach.map((server) => `${server} fine`).sort(), where);
        }
  });
