import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { endpoints } from "#handlers/routes.gen.ts";
import { type Endpoint, endpoint } from "#lib/core/api/endpoint.ts";
import { createRest } from "#lib/core/api/rest.ts";
import type { Caller } from "#lib/core/schema/caller.ts";
import { agent } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Asks as a caller that no credential makes yet. */
const askAs = async (
  app: TestApp,
  list: readonly Endpoint[],
  caller: Caller | "invalid",
  request: string,
  body?: unknown,
) => {
  const [method, target] = request.split(" ") as [string, string];
  const [path = "", query = ""] = target.split("?");
  const headers = { "X-Request-Id": "r" };
  const init = {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  };
  const admission = { requestId: "r", path, query, listener: "tcp" as const, caller, headers };
  const answer = await createRest(app, list)(new Request(`http://localhost${target}`, init), admission);
  return { status: answer.status, body: (await answer.json()) as { error?: string; data?: unknown } };
};
const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }], tools: { "git:log": "approved" } }, fn);

/** Spec 000 §5 rule 4, as far as the routes exist. */
const GATED = [
  "POST /api/v1/servers",
  "DELETE /api/v1/servers/git",
  "PATCH /api/v1/servers/git",
  ...["enable", "disable", "restart", "quarantine", "unquarantine", "discover-tools", "refresh"].map(
    (verb) => `POST /api/v1/servers/git/${verb}`,
  ),
  ...["reconnect", "enable_all", "disable_all", "restart_all"].map((verb) => `POST /api/v1/servers/${verb}`),
  "POST /api/v1/servers/git/tools/approve",
  "POST /api/v1/servers/git/tools/block",
  "POST /api/v1/servers/git/tools/log/enabled",
];

verifies(
  ["rest.auth.gate-text", "rest.auth.gate-servers", "rest.auth.gate-tools", "rest.auth.gate-bulk", "rest.error.403"],
  "an agent token is refused on every gated route, before its body is read",
  () =>
    start(async (app) => {
      for (const request of GATED) {
        const { status, body } = await askAs(app, endpoints, agent(["git"]).caller, request);
        assert.deepEqual([status, body.error], [403, "operation requires admin access"], request);
      }
    }),
);

verifies(["rest.auth.token-reads", "rest.auth.token-scope"], "an agent token reads, within its servers", () =>
  start(async (app) => {
    const bot = agent(["git"]).caller;
    for (const request of [
      "GET /api/v1/servers",
      "GET /api/v1/index/search?q=log",
      "GET /api/v1/servers/git/tools",
      "GET /api/v1/tools",
    ])
      assert.equal((await askAs(app, endpoints, bot, request)).status, 200, request);
    const other = agent(["web"]).caller;
    for (const path of ["logs", "tools", "tools/export", "tools/log/diff"]) {
      const { status, body } = await askAs(app, endpoints, other, `GET /api/v1/servers/git/${path}`);
      assert.deepEqual([status, body.error], [404, 'server "git" not found'], path);
    }
  }),
);

test("an endpoint that says nothing of access is the administrator's", () =>
  start(async (app) => {
    const data = v.object({ a: v.number() });
    const silent = endpoint("GET /x", { summary: "x", data, run: () => ({ a: 1 }) });
    const open = endpoint("GET /y", { summary: "y", access: "open", data, run: () => ({ a: 1 }) });
    assert.equal((await askAs(app, [silent], agent([]).caller, "GET /x")).status, 403);
    assert.equal((await askAs(app, [silent], "invalid", "GET /x")).status, 401);
    assert.deepEqual(await askAs(app, [open], "invalid", "GET /y"), {
      status: 200,
      body: { success: true, data: { a: 1 } },
    });
  }));

test("a refusal names the member and never quotes its value", () =>
  start(async (app) => {
    const body = v.object({ list: v.array(v.object({ n: v.number() })) });
    const strict = endpoint("POST /x", { summary: "x", access: "open", body, data: v.object({}), run: () => ({}) });
    const ask = (sent: unknown) => askAs(app, [strict], "invalid", "POST /x", sent);
    assert.equal(
      (await ask({ list: [{ n: 1 }, { n: "hush-hush" }] })).body.error,
      "list[1].n: must be a number, not a string",
    );
    assert.equal((await ask({})).body.error, "list: is required");
    assert.equal(
      (await ask({ list: [], lst: 1 })).body.error,
      "lst: unknown field; known fields: list; did you mean list?",
    );
  }));

test("a body has the endpoint's own limit", () =>
  start(async (app) => {
    const small = endpoint("POST /x", {
      summary: "x",
      access: "open",
      body: v.object({}),
      bodyLimit: 10,
      data: v.object({}),
      run: () => ({}),
    });
    const { status, body } = await askAs(app, [small], "invalid", "POST /x", { a: "0123456789" });
    assert.deepEqual([status, body.error], [413, "request body is larger than 10 bytes"]);
  }));

test("a POST may come without a body when it requires no member of one, and no other change may", () =>
  start(async (app) => {
    const make = (route: `${"POST" | "PATCH"} /x`, body: v.GenericSchema | undefined) =>
      endpoint(route, {
        summary: "x",
        access: "open",
        data: v.object({ got: v.unknown() }),
        run: ({ body: got }) => ({ got }),
        ...(body && { body }),
      });
    const optional = v.object({ a: v.optional(v.number()) });
    const without = (e: Endpoint) => askAs(app, [e], "invalid", `${e.method} /x`);

    assert.deepEqual((await without(make("POST /x", optional))).body.data, { got: {} });
    assert.equal((await without(make("POST /x", undefined))).status, 200);
    assert.match((await without(make("POST /x", v.object({ a: v.number() })))).body.error!, /the body is empty/);
    assert.match((await without(make("PATCH /x", optional))).body.error!, /the body is empty/);
  }));

test("an endpoint that takes no members refuses any, and takes an empty object", () =>
  start(async (app) => {
    const bare = endpoint("POST /x", { summary: "x", access: "open", data: v.object({}), run: () => ({}) });
    const ask = (body: unknown) => askAs(app, [bare], "invalid", "POST /x", body);

    assert.equal((await ask({})).status, 200);
    assert.equal((await ask({ force: true })).body.error, "force: unknown field; known fields: none");
  }));

// What must not compile.
export const types = () => {
  const data = v.object({ a: v.number() });
  endpoint("GET /x/{id}", { summary: "", data, run: ({ params }) => ({ a: params.id.length }) });
  // @ts-expect-error an answer of another type
  endpoint("GET /x/{id}", { summary: "", data, run: () => ({ a: "s" }) });
  // @ts-expect-error a parameter the path has not
  endpoint("GET /x/{id}", { summary: "", data, run: ({ params }) => ({ a: params.nope }) });
  // @ts-expect-error a fault nobody knows
  endpoint("GET /x/{id}", { summary: "", data, faults: ["no_such"], run: () => ({ a: 1 }) });
};
