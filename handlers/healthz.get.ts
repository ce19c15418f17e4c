import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { alive } from "#lib/http/probe.ts";
import { anyQuery } from "#lib/http/query.ts";

/** Liveness. */
export default endpoint("GET /healthz", {
  summary: "Liveness",
  access: "open",
  query: anyQuery,
  data: v.object({ status: v.literal("ok") }),
  answers: { bare: true },
  run: ({ c }) => c.json(alive().body),
});
