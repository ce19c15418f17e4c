import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { endpoints } from "#handlers/routes.gen.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { readQuery } from "#lib/core/api/read-query.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { operationOf } from "#test/kit/openapi.ts";

const SCHEMA = v.object({ session_id: v.optional(v.string()), limit: v.optional(v.string()) });

test("a query is read as its endpoint declares it; what is not declared is refused by name", () => {
  const rows: [string, object | RegExp][] = [
    ["", {}],
    ["limit=5", { limit: "5" }],
    ["limit=5&apikey=k", { limit: "5" }],
    ["limit=", { limit: "" }],
    ["session_id=a%20b+c", { session_id: "a b c" }],
    ["sesion_id=x", /^unknown query parameter "sesion_id"; did you mean "session_id"\?$/],
    ["zzz=1", /^unknown query parameter "zzz"; known parameters: session_id, limit$/],
    ["__proto__=1", /^unknown query parameter "__proto__"/],
    [`${"x".repeat(5000)}=1`, /^unknown query parameter "x{64}…"; known parameters:/],
    ["limit=1&limit=2", /^the query parameter "limit" is given twice; send it once$/],
    ["apikey=a&apikey=b", /^the query parameter "apikey" is given twice/],
    ["session_id=%zz", /^the query is not valid percent-encoded UTF-8$/],
    ["session_id=%ff", /^the query is not valid percent-encoded UTF-8$/],
  ];
  for (const [query, wanted] of rows) {
    if (wanted instanceof RegExp) assert.throws(() => readQuery(SCHEMA, query), { message: wanted }, query);
    else assert.deepEqual(readQuery(SCHEMA, query), wanted, query);
  }
  assert.throws(() => readQuery(undefined, "x=1"), {
    message: 'unknown query parameter "x"; this request has no query parameters',
  });
});

test("an address that others build takes what it does not know", () => {
  assert.deepEqual(readQuery(anyQuery, "utm_source=x&a=1&a=2&b=%zz"), { utm_source: "x", a: "2", b: "%zz" });
});

test("every endpoint but pages, probes, the sign-in of clients and the answers of sign-in servers refuses an unknown query parameter", () =>
  withApp({ connect: false }, async (app) => {
    const taking: string[] = [];
    for (const { method, path, spec } of endpoints) {
      const target = path.replaceAll(/\{\w+\}/g, "x");
      const body = spec.body ? {} : undefined;
      const { status, body: answer } = await ask(app, `${method} ${target}?no_such_parameter=1`, { body });
      // Those of a signed-in person are refused to an administrator's key before anything is read.
      if ((spec.access === "user" || spec.access === "person") && status === 403) continue;
      // The endpoints of OAuth have its form of an error.
      const text = answer.error_description ?? answer.error;
      if (status === 400 && /^unknown query parameter ["']no_such_parameter["']; /.test(text)) continue;
      taking.push(`${method} ${path}`);
    }
    assert.deepEqual(taking.sort(), [
      "GET /.well-known/oauth-authorization-server",
      "GET /.well-known/oauth-protected-resource",
      "GET /.well-known/oauth-protected-resource/{endpoint}",
      "GET /.well-known/oauth-protected-resource/{endpoint}/{kind}",
      "GET /.well-known/oauth-protected-resource/{endpoint}/{kind}/{profile}",
      "GET /.well-known/oauth-protected-resource/{endpoint}/{kind}/{profile}/{mode}",
      "GET /api/v1/auth/callback",
      "GET /api/v1/user/credentials/{server}/callback",
      "GET /docs",
      "GET /docs/",
      "GET /docs/guide",
      "GET /docs/guide/",
      "GET /docs/guide/{file}",
      "GET /docs/{file}",
      "GET /healthz",
      "GET /oauth/authorize",
      "GET /oauth/authorize/{uid}",
      "GET /oauth/callback",
      "GET /readyz",
      "GET /ui",
      "GET /ui/",
      "GET /ui/assets/{file}",
      "GET /ui/{page}",
      "GET /ui/{page}/{item}",
      "GET /ui/{page}/{item}/{part}",
    ]);
  }));

test("every limit and offset is a whole number with its ends in the reference, and takes the nearest end", () =>
  withApp({ connect: false }, async (app) => {
    let seen = 0;
    for (const e of endpoints)
      for (const { name, in: at, schema } of operationOf(e)!.parameters) {
        if (at !== "query" || !["limit", "offset", "tail", "top"].includes(name)) continue;
        seen++;
        assert.equal(schema.type, "integer", `${e.route} ${name}`);
        assert.ok(schema.maximum! > schema.minimum!, `${e.route} ${name}`);
        assert.ok(schema.default === undefined || typeof schema.default === "number", `${e.route} ${name}`);
      }
    assert.ok(seen > 12);

    for (const [query, wanted] of [
      ["limit=0", 1],
      ["limit=-7", 1],
      ["limit=101", 100],
      ["limit=7", 7],
      ["", 50],
    ] as const)
      assert.equal((await ask(app, `GET /api/v1/activity?${query}`)).body.data.limit, wanted, query);
    for (const bad of ["abc", "1.5", "", "1e3", "9".repeat(16)]) {
      const { status, body } = await ask(app, `GET /api/v1/activity?limit=${bad}`);
      assert.deepEqual([status, body.error], [400, "limit: must be a whole number from 1 to 100"], bad);
    }
  }));
