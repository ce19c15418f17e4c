import assert from "node:assert/strict";
import { parse } from "yaml";
import { router } from "#handlers/router.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { reference } from "#test/kit/openapi.ts";
import { verifies } from "#test/kit/verifies.ts";

const nobody = { as: "nobody" } as const;

verifies(
  ["rest.what.docs-spec", "rest.version.openapi"],
  "the document is served as YAML and as JSON, the same in both, to anybody",
  () =>
    withApp({ connect: false }, async (app) => {
      const json = await ask(app, "GET /docs/spec.json", nobody);
      const yaml = await ask(app, "GET /docs/spec.yaml", nobody);
      assert.deepEqual([json.status, yaml.status], [200, 200]);
      assert.equal(yaml.headers.get("content-type"), "application/yaml");
      assert.deepEqual(parse(yaml.body), json.body);
      assert.deepEqual(json.body.paths, reference.paths);
      assert.equal(json.body.info.version, app.boot.version);
    }),
);

verifies(
  "peer.proto-host",
  "the document names the address its reader used, as a trusted proxy says (spec 001 §5.3)",
  () =>
    withApp({ connect: false, config: { trusted_proxies: ["127.0.0.1"] } }, async (app) => {
      const handlers = router(app);
      const server = async (headers: Record<string, string>, remote: string) => {
        const request = new Request("http://localhost:8080/docs/spec.json", { headers });
        const body = (await (await handlers.fetch(request, { listener: "tcp", remote })).json()) as typeof reference;
        return body.servers[0]!.url;
      };
      const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "proxy.example.com" };
      assert.equal(await server({}, "127.0.0.1"), "http://localhost:8080");
      assert.equal(await server(forwarded, "127.0.0.1"), "https://proxy.example.com");
      assert.equal(await server(forwarded, "127.0.0.2"), "http://localhost:8080");
    }),
);
