import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { readiness } from "#lib/http/probe.ts";

/** Readiness. */
export default endpoint("GET /readyz", {
  summary: "Readiness",
  access: "open",
  data: v.object({ ready: v.boolean() }),
  run({ app, c }) {
    const { status, body } = readiness(app);
    return c.json(body, status);
  },
});
