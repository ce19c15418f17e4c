import assert from "node:assert/strict";
import { test } from "node:test";
import { panelFiles } from "#lib/core/api/panel/panel-files.ts";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Names that a page of the panel is made of. */
const named = (html: string) => [...html.matchAll(/\/ui\/assets\/([\w.-]+)/g)].map(([, name]) => name!);

test("every address of the panel answers its page, under a policy that lets nothing in from elsewhere", async () => {
  await withApp({ connect: false }, async (app) => {
    for (const path of ["/ui/", "/ui/servers", "/ui/servers/git", "/ui/servers/git%2Flog/log"]) {
      const { status, headers, body } = await ask(app, `GET ${path}`, { as: "nobody" });
      assert.equal(status, 200, path);
      assert.match(headers.get("content-type")!, /^text\/html/);
      assert.equal(named(body).length, 3);
      const policy = headers.get("content-security-policy")!;
      for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
        assert.ok(policy.includes(rule), rule);
      assert.ok(!policy.includes("unsafe"), policy);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("cache-control"), "no-cache");
      assert.doesNotMatch(body, /<style|style=|<script>|onclick/);
    }
  });
});

test("its files are kept by browsers for ever, and are sent compressed to who takes that", async () => {
  await withApp({ connect: false }, async (app) => {
    const { body } = await ask(app, "GET /ui/");
    for (const name of named(body)) {
      const packed = await ask(app, `GET /ui/assets/${name}`, { as: { "accept-encoding": "gzip" } });
      assert.equal(packed.headers.get("content-encoding"), "gzip");
      assert.equal(packed.headers.get("cache-control"), "public, max-age=31536000, immutable");
      const plain = await ask(app, `GET /ui/assets/${name}`, { as: { "accept-encoding": "gzip;q=0" } });
      assert.equal(plain.headers.get("content-encoding"), null);
      assert.ok(plain.body.length > 100, name);
    }
    for (const name of ["none.js", "index.html", "__proto__", "..%2Findex.html"])
      assert.equal((await ask(app, `GET /ui/assets/${name}`)).status, 404, name);
  });
});

verifies("rest.info.web-ui-url", "the way to the panel is told by / and by the program's own facts", async () => {
  await withApp({ connect: false }, async (app) => {
    app.boot.listenAddr = "0.0.0.0:8080";
    assert.equal((await call(app, "GET /api/v1/info", {})).web_ui_url, "http://127.0.0.1:8080/ui/");
    for (const path of ["/", "/ui"])
      assert.equal((await ask(app, `GET ${path}`, { as: "nobody" })).headers.get("location"), "/ui/");
  });
});

test("everything but the editor is smaller than 250 KB on the wire", () => {
  const all = Object.entries(panelFiles()).filter(([name]) => !name.startsWith("editor"));
  const sum = all.reduce((total, [, size]) => total + size, 0);
  assert.ok(sum < 250 * 1024, `${sum} bytes: ${all.map(([n, s]) => `${n} ${s}`).join(", ")}`);
});
