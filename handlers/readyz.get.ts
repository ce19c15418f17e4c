import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { readinessProbe } from "#lib/core/api/probe.ts";
import { anyQuery } from "#lib/core/api/query.ts";

const Ready = v.object({ ready: v.boolean() });

/** Readiness. */
export default endpoint("GET /readyz", {
  summary: "Readiness",
  access: "open",
  query: anyQuery,
  data: Ready,
  answers: { bare: true, others: { 503: Ready } },
  run({ app, c }) {
    const { status, body } = readinessProbe(app);
    return c.json(body, status);
  },
});
