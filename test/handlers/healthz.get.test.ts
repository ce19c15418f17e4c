import assert from "node:assert/strict";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  ["probe.healthz", "probe.readyz", "rest.auth.probes"],
  "liveness never flaps; readiness waits for index and store; neither asks who is there",
  () =>
    withApp({ connect: false }, async (app) => {
      const probe = async (over: object, path: string, as = {}) => {
        const { status, body } = await ask({ ...app, ...over }, `GET ${path}`, { as });
        return [status, body];
      };
      const indexing = { catalog: { ...app.catalog, ready: false } };
      const full = { catalog: { ...app.catalog, ready: true }, store: { ...app.store, problem: () => "no space" } };
      const ready = { catalog: { ...app.catalog, ready: true } };

      for (const over of [indexing, full, ready])
        assert.deepEqual(await probe(over, "/healthz"), [200, { status: "ok" }]);
      assert.deepEqual(await probe(indexing, "/readyz"), [503, { ready: false }]);
      assert.deepEqual(await probe(full, "/readyz"), [503, { ready: false }]);
      assert.deepEqual(await probe(ready, "/readyz"), [200, { ready: true }]);
      assert.deepEqual(await probe(ready, "/readyz", { "x-api-key": "stale" }), [200, { ready: true }]);
    }),
);
