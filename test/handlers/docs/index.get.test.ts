import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { router } from "#handlers/router.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const nobody = { as: "nobody" } as const;

verifies("rest.what.docs-page", "the reference page has its own scripts only, and needs no credential", () =>
  withApp({ connect: false }, async (app) => {
    const { status, headers, body } = await ask(app, "GET /docs/", nobody);
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^text\/html/);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'"])
      assert.ok(policy.split("; ").includes(rule), policy);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.doesNotMatch(body, /https?:|\son\w+=|style=|<script>|<style/);
    const parts = [...body.matchAll(/(?:src|href)="([^":]+)"/g)].map(
      ([, to]) => new URL(to, "http://a/docs/").pathname,
    );
    assert.ok(parts.length >= 4);
    for (const part of parts) assert.equal((await ask(app, `GET ${part}`, nobody)).status, 200, part);
  }),
);

test("/docs leads to /docs/, and a wrong key keeps nobody from it", () =>
  withApp({ connect: false }, async (app) => {
    const { status, headers } = await ask(app, "GET /docs", nobody);
    assert.equal(status, 302);
    assert.equal(new URL(headers.get("location") ?? "", "http://a/docs").pathname, "/docs/");
    assert.equal((await ask(app, "GET /docs/", { as: { "x-api-key": "stale" } })).status, 200);
  }));

test("a part of the page comes compressed to who takes that, plain to others, and no other file comes at all", () =>
  withApp({ connect: false }, async (app) => {
    const handlers = router(app);
    const get = (file: string, accept: string) =>
      handlers.fetch(new Request(`http://localhost/docs/${file}`, { headers: { "accept-encoding": accept } }));
    const packed = await get("swagger-ui.js", "gzip, deflate, br");
    assert.equal(packed.headers.get("content-encoding"), "gzip");
    assert.match(packed.headers.get("content-type") ?? "", /^text\/javascript/);
    const plain = await get("swagger-ui.js", "identity");
    assert.equal(plain.headers.get("content-encoding"), null);
    const text = await plain.text();
    assert.match(text, /SwaggerUIBundle/);
    assert.equal(gunzipSync(await packed.arrayBuffer()).toString(), text);
    assert.equal((await get("swagger-ui.js", "gzip;q=0")).headers.get("content-encoding"), null);
    assert.match(await (await get("swagger-ui-licences.txt", "")).text(), /Apache License/);
    for (const none of ["quickjs.wasm", "swagger-ui.js.gz", "__proto__", "..%2Fpackage.json"])
      assert.equal((await get(none, "")).status, 404, none);
  }));

test("the schema of the configuration is served to anybody", () =>
  withApp({ connect: false }, async (app) => {
    const { status, headers, body } = await ask(app, "GET /docs/mcp_config.schema.json", nobody);

    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^application\/schema\+json/);
    assert.ok((typeof body === "string" ? JSON.parse(body) : body).properties.mcpServers);
  }));
