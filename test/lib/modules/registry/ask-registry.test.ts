import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { install } from "#lib/modules/registry/install.ts";
import { refresh } from "#lib/modules/registry/refresh.ts";
import { search } from "#lib/modules/registry/search.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, type TestOptions, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { npmPackage, ours, server, type TestRegistry, testRegistry } from "#test/kit/registry.ts";

const never = () => new AbortController().signal;
const find = (app: TestApp, wanted = "", more: { id?: string; limit?: number } = {}) =>
  search(app, more.id ?? "ours", { search: wanted, limit: more.limit ?? 1000 }, INTERNAL_CALLER, never());
const ids = (found: { servers: { id: string }[] }) => found.servers.map(({ id }) => id);

async function start(t: TestContext, options: TestOptions) {
  const app = await testApp({ connect: false, ...options });
  t.after(() => app.close());
  return app;
}
const many = (count: number) => Array.from({ length: count }, (_, i) => server(`com.example/s${i}`));
const sends =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (_: string, r: ServerResponse) => {
    r.writeHead(status, headers).end(body);
    return true;
  };

test("every page of a list is read, the latest of each name is taken", async (t) => {
  const older = { ...server("com.example/s7", { version: "0.9.0" }), _meta: {} };
  const newest = { ...server("com.example/old"), _meta: {} };
  const registry = await testRegistry(t, [
    older,
    ...many(250),
    { server: { ...newest.server, version: "1.10.0" } },
    { server: { ...newest.server, version: "1.9.0" } },
    { server: { ...newest.server, version: "1.10.0-rc.1" } },
  ]);
  const app = await start(t, { config: ours(registry) });

  const found = await find(app);

  assert.equal(found.total, 251);
  const versions = new Map(found.servers.map((s) => [s.id, s.version]));
  assert.deepEqual([versions.get("com.example/s7"), versions.get("com.example/old")], ["1.0.0", "1.10.0"]);
  assert.deepEqual(registry.asked, [
    "/v0.1/servers?limit=100&version=latest",
    "/v0.1/servers?limit=100&version=latest&cursor=100",
    "/v0.1/servers?limit=100&version=latest&cursor=200",
  ]);
});

test("what was answered is there after a restart without a network, with its age; it can be installed too", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "registry-"));
  const registry = await testRegistry(t, [server("com.example/one", { packages: [npmPackage("one")] })]);
  const clock = handClock();
  const options = { dir, clock, config: ours(registry), connect: false };
  const first = await testApp(options);
  await find(first, "one");
  await first.close();
  await registry.stop();
  await clock.advance(2 * 3_600_000);

  const app = await start(t, options);
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const waiting = find(app, "one");
  const steps = setInterval(() => void clock.advance(1000), 5);
  const found = await waiting;
  const added = await install(app, "ours", "com.example/one", {}, admin, never());
  clearInterval(steps);

  assert.deepEqual(ids(found), ["com.example/one"]);
  assert.match(found.unavailable?.reason ?? "", /registry "ours" cannot be reached: .*ECONNREFUSED/);
  assert.ok(found.cache.age_seconds >= 7200 && found.cache.stale);
  assert.deepEqual(app.config.server(added.name)?.args, ["-y", "one@1.0.0"]);
});

test("what was kept is of use for the same list alone, and damage is as if nothing was kept", async (t) => {
  const registry = await testRegistry(t, many(3));
  const app = await start(t, { config: ours(registry) });
  await find(app);
  const [file] = readdirSync(join(app.dir, "registries"));
  const path = join(app.dir, "registries", file ?? "");
  const kept = readFileSync(path, "utf8");
  assert.ok(existsSync(path) && kept.includes("com.example/s2"));
  const rows: [string, object][] = [
    ["{ broken", {}],
    [kept, { registries: [{ id: "ours", servers_url: `${registry.url}/elsewhere` }] }],
  ];
  for (const [content, config] of rows) {
    const dir = mkdtempSync(join(tmpdir(), "registry-"));
    const other = await start(t, { dir, config: { ...ours(registry), ...config } });
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    await refresh(other, "official");
    const folder = join(dir, "registries");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "ours.json"), content);
    registry.answer = sends(404, "{}");
    assert.deepEqual(ids(await find(other)), []);
    registry.answer = undefined;
  }
});

test("what is gone from the registry is gone here with the next full answer", async (t) => {
  const registry = await testRegistry(t, many(3));
  const app = await start(t, { config: ours(registry) });
  await find(app);
  registry.servers = registry.servers.slice(1);
  assert.equal((await find(app)).total, 3);
  await refresh(app, "ours");
  assert.deepEqual(ids(await find(app)), ["com.example/s1", "com.example/s2"]);
});

test("hostile answers end with a reason, and what was known before stays", async (t) => {
  const registry = await testRegistry(t, many(2));
  const clock = handClock();
  const app = await start(t, { config: ours(registry), clock });
  await find(app);
  const rows: [string, TestRegistry["answer"], RegExp][] = [
    ["10 MB", sends(200, JSON.stringify({ servers: ["x".repeat(10_000_000)] })), /larger than 4194304 bytes/],
    ["deep", sends(200, `{"servers":${"[".repeat(50_000)}${"]".repeat(50_000)}}`), /not JSON .*nested more than/],
    ["no JSON", sends(200, "<html>"), /its response is not JSON/],
    ["half", sends(200, '{"servers":['), /its response is not JSON/],
    ["no list", sends(200, '{"servers":{"length":9}}'), /has no list of servers/],
    ["null", sends(200, "null"), /has no list of servers/],
    ["refused", sends(404, "{}"), /status 404/],
    ["a key", sends(401, "{}"), /requires a key \(status 401\)/],
    ["broken", sends(503, "{}"), /status 503/],
    [
      "redirect inside",
      sends(302, "", { location: "http://169.254.169.254/latest/meta-data" }),
      /169\.254\.169\.254.* in a private network/,
    ],
    ["redirect to a file", sends(302, "", { location: "file:///etc/passwd" }), /is not an http address/],
    ["silence", () => true, /no response within 45 seconds|cannot be reached/],
    [
      "drip",
      (_, r) => {
        r.writeHead(200);
        r.write("{");
        return true;
      },
      /no response within 45 seconds|cannot be reached/,
    ],
  ];
  for (const [what, answer, reason] of rows) {
    registry.answer = answer;
    await refresh(app, "ours");
    const waiting = find(app);
    const steps = setInterval(() => void clock.advance(5000), 20);
    const found = await waiting.finally(() => clearInterval(steps));
    assert.match(found.unavailable?.reason ?? "", reason, what);
    assert.equal(found.total, 2, what);
  }
});

test("a list without end is read to twenty pages, and a page is never read twice", async (t) => {
  const registry = await testRegistry(t, []);
  const app = await start(t, { config: ours(registry) });
  let page = 0;
  registry.answer = (_, r) => {
    page++;
    r.end(JSON.stringify({ servers: [server(`com.example/s${page}`)], metadata: { nextCursor: `c${page}` } }));
    return true;
  };
  assert.equal((await find(app)).total, 20);
  registry.answer = (_, r) => {
    r.end(JSON.stringify({ servers: [server("com.example/same")], metadata: { nextCursor: "same" } }));
    return true;
  };
  registry.asked.length = 0;
  await find(app, "same");
  assert.equal(registry.asked.length, 2);
});

test("nonsense among the servers is left out and counted; texts lose controls, and what else is invisible is written out", async (t) => {
  const registry = await testRegistry(t, [
    null as unknown as object,
    { server: { name: 7 } },
    server("com.example/a\u202eb"),
    server("bad\nname"),
    server("--privileged"),
    server("__proto__"),
    server("com.example/good", { description: "pay\u202eroll\u0007\n\u2066x", packages: { npm: 1 }, remotes: [7] }),
  ]);
  const app = await start(t, { config: ours(registry) });
  const found = await find(app);
  assert.deepEqual(ids(found), ["com.example/good"]);
  assert.equal(found.skipped, 6);
  assert.equal(found.servers[0]?.description, "pay<U+202E>roll <U+2066>x");
  assert.match(found.servers[0]?.not_installable ?? "", /are not supported/);
});

test("a key goes to its registry as a bearer token, and to no other host", async (t) => {
  const registry = await testRegistry(t, many(1));
  const seen: (string | undefined)[] = [];
  const [entry] = ours(registry).registries;
  const config = { ...ours(registry), registries: [{ ...entry, api_key: "${env:REGISTRY_KEY}" }] };
  const app = await start(t, { config, env: { REGISTRY_KEY: "sesame" } });
  registry.answer = (_, r) => {
    seen.push(r.req.headers.authorization);
    return false;
  };
  await find(app);
  assert.deepEqual(seen, ["Bearer sesame"]);
  registry.answer = sends(302, "", { location: "https://elsewhere.example/servers" });
  await refresh(app, "ours");
  assert.match((await find(app)).unavailable?.reason ?? "", /redirect/);

  const locked = { ...ours(registry), registries: [{ ...entry, requires_key: true }] };
  registry.answer = undefined;
  const without = await start(t, { config: locked });
  registry.asked.length = 0;
  const found = await find(without);
  assert.match(found.unavailable?.reason ?? "", /requires a key; set SERVICE_REGISTRY_OURS_API_KEY/);
  assert.deepEqual([ids(found), registry.asked], [[], []]);
});

test("lists of other forms are read too: Docker's, PulseMCP's, and plain ones", async (t) => {
  const registry = await testRegistry(t, []);
  const digest = `sha256:${"a".repeat(64)}`;
  const at = (path: string, body: object) => [path, JSON.stringify(body)] as const;
  const pages = new Map([
    at("/hub/?page_size=100", {
      next: `${registry.url}/hub/?page=2`,
      results: [{ name: "fetch", namespace: "mcp", description: "fetches" }],
    }),
    at("/hub/?page=2", { next: null, results: [{ name: "time", namespace: "mcp" }, { name: "--rm" }] }),
    at("/hub/fetch/tags/latest", { name: "latest", digest }),
    at("/pulse?count_per_page=100&query=mail", {
      servers: [
        {
          name: "Mail",
          id: "mail",
          short_description: "sends mail",
          package_registry: "npm",
          package_name: "@a/mail",
          package_version: "1.2.3",
        },
      ],
    }),
    at("/plain", {
      data: {
        items: [
          { id: "notes", title: "Notes", installCmd: "npx -y notes-mcp@2.0.0 --token ${NOTES_TOKEN}" },
          { id: "far", url: "https://far.example.com/sse", tags: ["Office"] },
          { id: "sly", command: "sh -c 'curl evil'" },
          { id: "open", install_cmd: "uvx open-mcp" },
        ],
      },
    }),
    at("/next", { items: [{ id: "a" }], next: "https://evil.example/page" }),
  ]);
  registry.answer = (path, r) => {
    const body = pages.get(path);
    r.writeHead(body ? 200 : 404).end(body ?? "{}");
    return true;
  };
  const source = (id: string, protocol: string, path: string) => ({ id, protocol, servers_url: registry.url + path });
  const app = await start(t, {
    config: {
      allow_private_registry_fetch: true,
      registries: [
        source("hub", "custom/docker", "/hub/"),
        source("pulse", "custom/pulse", "/pulse"),
        source("plain", "ours/list", "/plain"),
        source("next", "ours/list", "/next"),
      ],
    },
  });

  const hub = await find(app, "", { id: "hub" });
  assert.deepEqual(ids(hub), ["fetch", "time"]);
  assert.equal(hub.servers[0]?.install_cmd, "docker run -i --rm mcp/fetch@sha256:<digest>");
  await install(app, "hub", "fetch", {}, admin, never());
  assert.deepEqual(app.config.server("fetch")?.args, ["run", "-i", "--rm", `mcp/fetch@${digest}`]);
  const [mail] = (await find(app, "mail", { id: "pulse" })).servers;
  assert.equal(mail?.install_cmd, "npx -y @a/mail@1.2.3");
  const plain = (await find(app, "", { id: "plain" })).servers;
  assert.deepEqual(
    plain.map((s) => [s.id, s.install_cmd ?? s.connect_url ?? s.not_installable, s.required_inputs.map((i) => i.name)]),
    [
      ["notes", "npx -y notes-mcp@2.0.0 --token <NOTES_TOKEN>", ["NOTES_TOKEN"]],
      ["far", "https://far.example.com/sse", []],
      ["sly", 'the proxy cannot run packages of type "sh"', []],
      ["open", "it names no version of open-mcp; the proxy only runs pinned versions", []],
    ],
  );
  assert.deepEqual(plain[1]?.tags, ["office", "remote"]);
  assert.match((await find(app, "", { id: "next" })).unavailable?.reason ?? "", /another host, evil\.example/);
});
