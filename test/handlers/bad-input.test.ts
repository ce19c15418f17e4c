import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { isBodyOptional } from "#lib/core/api/endpoint.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { type Answer, ask } from "#test/kit/http.ts";
import { endpointAt } from "#test/kit/openapi.ts";

/** Longest time an answer to nonsense may take. (ms) */
const SOON_MS = 30_000;

const started = (test: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }], tools: { "git:log": "pending" } }, test);

const pathOf = (path: string) =>
  path
    .replaceAll("{name}", "git")
    .replaceAll("{tool}", "log")
    .replaceAll(/\{\w+\}/g, "x");

/** Refused with a clear text, or taken by an endpoint that has no use for what was wrong; never a defect, never late. */
async function refusedOrFine(app: TestApp, request: string, options: Parameters<typeof ask>[2]): Promise<Answer> {
  const answer = await Promise.race([
    ask(app, request, options),
    new Promise<never>((_, fail) => setTimeout(() => fail(new Error(`${request}: no answer`)), SOON_MS).unref()),
  ]);
  assert.ok(answer.status < 500, `${request} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
  const page = answer.headers.get("content-type")?.startsWith("text/html");
  const [method = "", target = ""] = request.split(" ");
  const hasOwnForm = endpointAt(method, target.split("?")[0]!)?.spec.failure !== undefined;
  if (answer.status >= 400 && hasOwnForm) assert.ok(answer.body.error_description.length > 5, request);
  else if (answer.status >= 400 && !page && !request.includes("/code/exec")) {
    assert.equal(answer.body.success, false, request);
    assert.ok(answer.body.error.length > 5, request);
    assert.equal(typeof answer.body.request_id, "string");
  }
  return answer;
}

const BODIES: [string, string | Uint8Array | unknown][] = [
  ["nothing", ""],
  ["no JSON", "{a:1}"],
  ["half a JSON", '{"name":"a'],
  ["an array", "[]"],
  ["null", "null"],
  ["a number", "1e999"],
  ["a text", '"x"'],
  ["__proto__", '{"__proto__":{"enabled":true}}'],
  ["deep objects", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ["deep arrays", `{"tools":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["broken UTF-8", Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
  ["a lone surrogate as a name", '{"name":"\\ud800"}'],
  ["too much", `{"name":"${"x".repeat(5_000_000)}"}`],
];

test("every endpoint with a body refuses what is no JSON object, naming what is wrong", () =>
  started(async (app) => {
    for (const e of endpoints)
      for (const [what, body] of BODIES) {
        const { method, path, spec } = e;
        if (method === "GET") continue;
        const { status } = await refusedOrFine(app, `${method} ${pathOf(path)}`, { body });
        // Those of a signed-in person are refused to an administrator's key before anything is read.
        if ((spec.access === "user" || spec.access === "person") && status === 403) continue;
        if (isBodyOptional(e) && what === "nothing") continue;
        if (spec.upload === undefined && !spec.form)
          assert.ok(status === 400 || status === 413, `${method} ${path} took ${what}: ${status}`);
      }
  }));

/** Values that fit no member's type. */
const VALUES = [
  null,
  true,
  1e308,
  -1,
  "",
  "\u0000",
  "••••zz (9 chars)",
  [],
  [[]],
  [null],
  {},
  { a: { b: 1 } },
  [{ a: 1 }],
];

test("no endpoint breaks over a member of a wrong type", () =>
  started(async (app) => {
    for (const { method, path, spec } of endpoints) {
      if (!spec.body) continue;
      const schema = spec.body.type === "optional" ? spec.body.wrapped : spec.body;
      const members = Object.keys(("entries" in schema && schema.entries) || {});
      assert.ok(members.length > 0, `${path} has a body without members`);
      for (const member of [...members, "unknown_member"])
        for (const value of VALUES) {
          const body = { name: `n${Math.random()}`, command: "x", [member]: value };
          await refusedOrFine(app, `${method} ${pathOf(path)}`, { body });
        }
    }
    const { status } = await ask(app, "GET /api/v1/servers");
    assert.equal(status, 200);
  }));

const QUERIES = [
  "limit=abc",
  "limit=",
  "limit=1.5",
  "limit=NaN",
  "limit=Infinity",
  "limit=1e9",
  "limit=0x10",
  "limit=-1",
  "limit=0",
  "limit=99999999999999999999",
  "offset=-5",
  "offset=abc",
  "tail=abc",
  "tail=-1",
  "tail=1e3",
  "start_time=yesterday",
  "start_time=2026-02-30T00:00:00Z",
  "end_time=1",
  "end_time=2026-01-01T25:00:00Z",
  "type=nope",
  "type=,",
  "status=nope",
  "format=xml",
  "q=",
  `q=${"a".repeat(5000)}`,
  "q=%00",
  "q=%F0%9F%92%A9",
  "__proto__=1",
  "constructor=1",
  "limit[]=1",
  "limit=1&limit=2",
  "%FF=1",
  "q=%FF%FE",
  "=",
  "&&&",
  "a".repeat(8000),
];

test("no endpoint breaks over a strange query", () =>
  started(async (app) => {
    for (const { method, path } of endpoints)
      for (const query of QUERIES) await refusedOrFine(app, `${method} ${pathOf(path)}?${query}`, { body: undefined });
  }));

test("a number that is none is refused by name, one out of range becomes the nearest end", () =>
  started(async (app) => {
    for (const query of ["limit=abc", "limit=1.5", "limit=1e9", "limit="]) {
      const { status, body } = await ask(app, `GET /api/v1/activity?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.error, /^limit: must be a whole number from 1 to 100/);
    }
    assert.equal((await ask(app, "GET /api/v1/activity?limit=1000")).body.data.limit, 100);
    assert.equal((await ask(app, "GET /api/v1/activity?limit=0")).body.data.limit, 1);
    assert.equal((await ask(app, "GET /api/v1/activity?offset=-1")).body.data.offset, 0);
  }));

test("no endpoint breaks over a strange path", () =>
  started(async (app) => {
    const names = [
      "%00",
      "%2e%2e",
      "%E2%80%AE",
      "%ED%A0%80",
      "__proto__",
      "constructor",
      "a".repeat(4000),
      "%20",
      ";",
      "%2F%2F",
    ];
    for (const { method, path } of endpoints) {
      if (!path.includes("{")) continue;
      for (const name of names)
        await refusedOrFine(app, `${method} ${path.replaceAll(/\{\w+\}/g, name)}`, {
          body: method === "GET" ? undefined : { tools: ["a"], enabled: true },
        });
    }
  }));
