import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";

/** Readiness: the tool index is built and the store takes writes; upstreams are not waited for (spec 001 §4.3). */
export default endpoint("GET /readyz", {
  summary: "Readiness",
  access: "open",
  data: v.object({ ready: v.boolean() }),
  run({ app, c }) {
    const ready = app.catalog.ready && app.store.problem() === undefined;
    return c.json({ ready }, ready ? 200 : 503);
  },
});
