import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { livenessProbe } from "#lib/core/api/probe.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** Liveness. */
export default endpoint("GET /healthz", {
  summary: "Liveness",
  access: "open",
  query: anyQuery,
  data: v.object({ status: v.literal("ok") }),
  answers: { bare: true },
  run: ({ c }) => c.json(livenessProbe().body),
});
